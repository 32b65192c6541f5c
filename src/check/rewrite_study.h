#pragma once
// Which single rewrites of a failing recipe are bad? Puts the questions of localize/rewrite_search.h to a study: each
// is a trial, made, shared by fingerprint, run and judged as every variant is.

#include <map>
#include <string>
#include <vector>

#include "check/recipe_search.h"
#include "check/study.h"
#include "localize/rewrite_search.h"

namespace culprit {

class RewriteStudy {
 public:
  RewriteStudy(Study& study, Desk& desk, const Basis& basis) : study_(study), desk_(desk), basis_(basis) {}

  /// Finds the bad rewrites behind these faults, and writes them into their records. To be called when all is judged
  /// and confirmed and the records are made: what it makes are trials, and in no report. `ids` are those of the
  /// attempts.
  Result<void> explain(std::vector<FaultRecord>& faults, const std::vector<std::string>& ids);

 private:
  Result<void> explain(FaultRecord& fault, std::size_t failing);
  Result<RewriteAnswer> ask(std::size_t failing, const Showing& sought, const RewriteLimits& limits, std::size_t again);
  Result<std::size_t> attempt_for(std::size_t failing, const RewriteLimits& limits);
  [[nodiscard]] RewriteAnswer answer(const Attempt& attempt, const Showing& sought) const;
  Result<RewriteAnswer> again(std::size_t attempt, const Showing& sought);
  [[nodiscard]] std::filesystem::path file_of(const Attempt& attempt) const;
  [[nodiscard]] RewriteRecord record_of(const BadRewrite& bad, std::size_t failing,
                                        const std::vector<RewriteSite>& before) const;

  struct Asked {
    std::size_t failing;
    RewriteLimits limits;
    std::size_t attempt;
  };

  Study& study_;
  Desk& desk_;
  const Basis& basis_;
  std::vector<Asked> asked_;
};

}  // namespace culprit
