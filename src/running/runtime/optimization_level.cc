#include "base/word_names.h"
#include "runtime/level.h"

namespace culprit {
namespace {

constexpr WordNames<Level, 5> level_words{{{Level::off, "off"},
                                           {Level::basic, "basic"},
                                           {Level::extended, "extended"},
                                           {Level::layout, "layout"},
                                           {Level::all, "all"}}};

}  // namespace

std::string_view name_of(Level level) { return name_in(level_words, level); }

std::optional<Level> level_named(std::string_view name) { return word_in(level_words, name); }

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const auto& [level, name] : level_words) names.emplace_back(name);
  return names;
}

}  // namespace culprit
