#pragma once
// An executor whose optimizer is a file: whatever recipe is asked for, the given variant is what it makes. So a variant
// that anybody made is judged by the very steps that judge what a pass makes.

#include <deque>
#include <map>
#include <vector>

#include "executor/executor.h"
#include "model/model.h"
#include "record/costs.h"

namespace culprit {

class ExternalExecutor : public Executor {
 public:
  /// `import`: what was learnt of the original. Recipes without passes make the original. Each making looks at the file
  /// anew, in a worker: its fingerprint, and what the checker says of it.
  ExternalExecutor(Executor& inner, const Model& original, ImportOutcome import, const Model& variant)
      : inner_(inner), original_(original), import_(std::move(import)), variant_(variant) {}

  JobId submit(OptimizeJob job) override;
  JobId submit(RunJob job) override { return inner_.submit(std::move(job)); }
  std::optional<Outcome> next() override;
  [[nodiscard]] Counts counts() const override { return inner_.counts(); }
  [[nodiscard]] std::size_t places() const override { return inner_.places(); }

 private:
  /// Where the variant needs a library that was not given, its refusal says nothing about it.
  void excuse(RunOutcome& run) const;
  void answer(const ImportOutcome& look, const OptimizeJob& job);
  [[nodiscard]] VariantOutcome made(const ImportOutcome& look, const Recipe& recipe) const;

  Executor& inner_;
  const Model& original_;
  ImportOutcome import_;
  const Model& variant_;
  std::map<JobId, OptimizeJob> asked_;
  std::deque<Outcome> queue_;
};

/// The optimizer that imports models where the given variant is looked at.
inline constexpr const char* looking_optimizer = "onnx_optimizer";

/// A look at a model in a worker may have ended before its fingerprint was taken: then it is taken here.
Hash128 fingerprint_of(const ImportOutcome& look, const Model& model);

}  // namespace culprit
