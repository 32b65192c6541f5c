#include <array>
#include <utility>

#include "runtime/runner.h"

namespace culprit {
namespace {

constexpr std::array<std::pair<Level, std::string_view>, 5> kLevels{{{Level::off, "off"},
                                                                     {Level::basic, "basic"},
                                                                     {Level::extended, "extended"},
                                                                     {Level::layout, "layout"},
                                                                     {Level::all, "all"}}};

}  // namespace

std::string_view name_of(Level level) {
  for (const auto& [value, name] : kLevels)
    if (value == level) return name;
  return "unknown";
}

std::optional<Level> level_named(std::string_view name) {
  for (const auto& [value, known] : kLevels)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace culprit
