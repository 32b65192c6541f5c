#pragma once
// What came of a check's variants: read by those who explain and report.

#include <deque>
#include <filesystem>
#include <memory>
#include <vector>

#include "check/variants/variant_runs.h"

namespace culprit {

/// A distinct variant that was run, and how: to run it once more in another way.
struct DistinctRun {
  RunJob job;  ///< without a folder for outputs
  std::shared_ptr<VariantResult> result;
};

/// It is had as a part of ConfirmedVariants only: there is none before all is answered.
class JudgedVariants {
 public:
  JudgedVariants(const JudgedVariants&) = delete;
  JudgedVariants& operator=(const JudgedVariants&) = delete;

  [[nodiscard]] const ImportOutcome& import() const { return made_.import(); }
  /// Of an import that failed.
  [[nodiscard]] const VariantResult& import_result() const { return *import_result_; }
  [[nodiscard]] const Variant& round_trip() const { return made_.round_trip(); }
  /// The planned ones in the order of the plan, without the round trip. References stay valid.
  [[nodiscard]] const std::deque<Variant>& all() const { return made_.all(); }
  /// What was run and judged by its values, the round trip first, then in the order of the plan.
  [[nodiscard]] std::vector<DistinctRun> distinct_runs() const;
  /// `unchanged`, its judgement's, or `inconclusive` where a failure was asked for again and did not come.
  [[nodiscard]] Verdict verdict_on(const Variant& variant) const;
  /// What is faulty about it: at the reference's level, or else at the deploy level; null where nothing is.
  [[nodiscard]] const VariantResult* failing(const Variant& variant) const;
  [[nodiscard]] bool is_faulty(const Variant& variant) const { return failing(variant) != nullptr; }
  /// Right at the reference's level, faulty at the deploy level?
  [[nodiscard]] bool fails_deployed(const Variant& variant) const;
  /// The round trip as the optimizer exports it, where that leaves types out and they were put back in every variant:
  /// what the runtime makes of it. Null where none was left out.
  [[nodiscard]] const VariantResult* as_exported() const;
  /// The file that shows what is faulty about a variant, at `failing`.
  [[nodiscard]] const std::filesystem::path& shown_by(const Variant& variant) const;
  /// Is the failure the round trip's own? Never true of the round trip itself.
  [[nodiscard]] bool follows_round_trip(const Variant& variant) const;
  [[nodiscard]] const DeployLevel& deploy_level() const { return runs_.by().deploy_level; }

 protected:
  JudgedVariants(const VariantRuns& runs, std::shared_ptr<const VariantResult> import_result);
  ~JudgedVariants() = default;

 private:
  const MadeVariants& made_;
  const VariantRuns& runs_;
  const std::shared_ptr<const VariantResult> import_result_;
};

}  // namespace culprit
