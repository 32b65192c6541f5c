#include <algorithm>

#include "compare/compare_models.h"

namespace culprit {

CompareOptions compare_options(const TrialOptions& check, const SessionOptions& session) {
  CompareOptions options;
  options.tolerance = check.tolerance;
  options.strict = check.strict;
  options.session = session;
  options.limits = check.limits;
  options.draws = std::min(options.draws, check.draws);
  return options;
}

int exit_code_of(const CompareReport& report) {
  switch (report.status) {
    case CompareStatus::same:
      return 0;
    case CompareStatus::part:
      return 1;
    default:
      return 3;
  }
}

}  // namespace culprit
