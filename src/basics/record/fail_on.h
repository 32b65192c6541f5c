#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// For what a check ends with exit code 1.
enum class FailOn {
  fault,  ///< a fault that is not known
  weak,   ///< also inputs that prove nothing, which else are exit code 3
  any,    ///< also all that is neither unchanged nor equivalent, and every model that could not be judged
};
std::optional<FailOn> fail_on_named(std::string_view name);
std::vector<std::string> fail_on_names();

}  // namespace culprit
