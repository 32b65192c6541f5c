#pragma once
// Which single rewrites break the model? Asks the questions of localize/rewrite_search.h: each is a recipe,
// made, shared by fingerprint, run and judged as every variant is.

#include <filesystem>
#include <string>
#include <vector>

#include "check/explain/explain_recipe.h"
#include "check/variants/confirmed_variants.h"
#include "localize/rewrite_search.h"
#include "record/fault_record.h"

namespace culprit {

class RewriteLocalization {
 public:
  RewriteLocalization(ConfirmedVariants& variants, Dispatcher& dispatcher, const Reference& reference)
      : variants_(variants), dispatcher_(dispatcher), reference_(reference) {}

  /// Finds the bad rewrites behind these faults, and writes them into their records. What it makes are trials, and in
  /// no report, so the records of variants come first. `ids` are those of the variants. Under a limit of time
  /// (--timeout) only as many questions are asked of a fault that times out as a minute allows; when the time of
  /// --budget is spent, nothing more is asked.
  Result<void> explain(std::vector<FaultRecord>& faults, const std::vector<std::string>& ids);

 private:
  struct Asked {
    std::size_t failing;  // the variant whose recipe is limited
    RewriteLimits limits;
    std::size_t again;
    std::size_t variant;
  };

  Result<void> explain(FaultRecord& fault, std::size_t failing);
  Result<void> explain_step(FaultRecord& fault, std::size_t failing, const RecipeAnswer& sought);
  [[nodiscard]] RewriteSearchOptions options_for(const FaultRecord& fault, const VariantResult& result) const;
  Result<RewriteAnswer> ask(std::size_t failing, const RecipeAnswer& sought, const RewriteLimits& limits,
                            std::size_t again);
  Result<std::size_t> number_for(std::size_t failing, const RewriteLimits& limits, std::size_t again);
  [[nodiscard]] RewriteAnswer answer(const Variant& variant, const RecipeAnswer& sought) const;
  Result<RewriteAnswer> run_afresh(std::size_t variant, const RecipeAnswer& sought);
  Result<RewriteRecord> record_of(const BadRewrite& bad, std::size_t failing, const RecipeAnswer& sought,
                                  const std::vector<RewriteSite>& before);
  [[nodiscard]] Result<Model> made_with(std::uint64_t budget, std::size_t failing,
                                        const std::vector<RewriteSite>& skip) const;

  ConfirmedVariants& variants_;
  Dispatcher& dispatcher_;
  const Reference& reference_;
  std::vector<Asked> asked_;
};

}  // namespace culprit
