#pragma once
// "1 row", "3 rows". Private to this room.

#include <cstdint>
#include <string>

namespace culprit {

inline std::string one_or_many(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace culprit
