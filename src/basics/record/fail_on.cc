#include "record/fail_on.h"

#include "base/word_names.h"

namespace culprit {
namespace {

constexpr WordNames<FailOn, 3> fail_on_words{{{FailOn::fault, "fault"}, {FailOn::weak, "weak"}, {FailOn::any, "any"}}};

}  // namespace

std::optional<FailOn> fail_on_named(std::string_view name) { return word_in(fail_on_words, name); }

std::vector<std::string> fail_on_names() {
  std::vector<std::string> names;
  for (const auto& [word, name] : fail_on_words) names.emplace_back(name);
  return names;
}

}  // namespace culprit
