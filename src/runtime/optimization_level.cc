#include "base/word_names.h"
#include "runtime/level.h"

namespace culprit {
namespace {

constexpr WordNames<Level, 5> kLevels{{{Level::off, "off"},
                                       {Level::basic, "basic"},
                                       {Level::extended, "extended"},
                                       {Level::layout, "layout"},
                                       {Level::all, "all"}}};

}  // namespace

std::string_view name_of(Level level) { return name_in(kLevels, level); }

std::optional<Level> level_named(std::string_view name) { return word_in(kLevels, name); }

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const auto& [level, name] : kLevels) names.emplace_back(name);
  return names;
}

}  // namespace culprit
