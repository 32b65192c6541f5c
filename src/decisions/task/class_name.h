#pragma once
// What a class is called. Private to this room.

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

/// The class's own name, else its number.
inline std::string class_name(std::int64_t label, const std::vector<std::string>& class_names) {
  const auto place = static_cast<std::size_t>(label);
  return place < class_names.size() ? class_names[place] : std::to_string(label);
}

}  // namespace culprit
