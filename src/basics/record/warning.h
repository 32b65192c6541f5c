#pragma once
// What a user should know of, though nothing failed.

#include <string>

namespace culprit {

struct Warning {
  std::string code;  ///< stable, lower_snake_case: "constants_became_inputs"
  std::string message;
  bool operator==(const Warning&) const = default;
};

}  // namespace culprit
