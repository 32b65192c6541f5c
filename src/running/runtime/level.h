#pragma once
// How much a runtime may optimize a model when it loads it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

enum class Level { off = 0, basic = 1, extended = 2, layout = 3, all = 99 };
std::string_view name_of(Level level);
std::optional<Level> level_named(std::string_view name);
std::vector<std::string> level_names();  ///< of all, from off to all

}  // namespace culprit
