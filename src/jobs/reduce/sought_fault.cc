#include "reduce/sought_fault.h"

#include <algorithm>
#include <string_view>

namespace culprit {
namespace {

/// "shape [#,#] became [#]" -> "shape". What times out says no more than the limit, and that may be another one.
std::string_view class_of(const Symptom& symptom) {
  if (symptom.verdict == Verdict::timed_out) return "";
  const std::string_view error = symptom.error;
  return symptom.verdict == Verdict::diverged ? error.substr(0, error.find(' ')) : error;
}

}  // namespace

bool is_same_failure(const Symptom& sought, const Symptom& found) {
  if (found.verdict != sought.verdict || found.level != sought.level || class_of(found) != class_of(sought))
    return false;
  if (found.makes_nonfinite && !sought.makes_nonfinite) return false;
  return sought.ops_changed.empty() || std::ranges::any_of(sought.ops_changed, [&](const auto& change) {
           const auto at = found.ops_changed.find(change.first);
           return at != found.ops_changed.end() && (at->second < 0) == (change.second < 0);
         });
}

}  // namespace culprit
