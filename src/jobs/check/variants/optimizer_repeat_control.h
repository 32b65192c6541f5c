#pragma once
// The control `optimizer_repeat`: the same recipe in a freshly started optimizer must make the same model. If it does
// not, nothing that was found about that recipe need hold for the model that a user will make.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/variants/made_variants.h"
#include "executor/dispatcher.h"
#include "record/fault_record.h"
#include "record/variant_record.h"
#include "trial/evidence.h"

namespace culprit {

class OptimizerRepeat {
 public:
  OptimizerRepeat(Dispatcher& dispatcher, const Model& model, const TrialOptions& options, const MadeVariants& variants)
      : dispatcher_(dispatcher), model_(model), options_(options), variants_(variants) {}
  OptimizerRepeat(const OptimizerRepeat&) = delete;
  OptimizerRepeat& operator=(const OptimizerRepeat&) = delete;

  /// Makes the bundle again, or without one every planned recipe, from one import and without keeping files. To be
  /// called once the first job is done.
  void start();
  /// What failed in only one of the two is made once more: a failure that was seen once may be the machine's. To be
  /// called when all is answered, with another wait after it.
  void confirm();

  /// Absent where nothing was made again. `diverged`: two makings gave two models, or some failed (twice or more) and
  /// some did not. `inconclusive`: it failed once and never again.
  [[nodiscard]] std::optional<ControlRecord> record() const;
  /// The fault of an optimizer that does not repeat; `ids` are those of the variants. Without an id of its own.
  [[nodiscard]] std::optional<FaultRecord> fault(const std::vector<std::string>& ids) const;

 private:
  /// What one making came to, in a word: a fingerprint, "skipped", or how it failed.
  struct Making {
    std::string result;
    bool failed = false;
    bool machine = false;
    std::string text;  ///< of a failure
  };
  static Making making_of(const VariantOutcome& outcome, const Limits& limits);

  void make(const std::vector<std::size_t>& numbers);
  [[nodiscard]] Verdict verdict_on(const std::vector<Making>& makings) const;
  [[nodiscard]] std::string text(std::size_t variant, const std::vector<Making>& makings) const;
  [[nodiscard]] std::vector<std::size_t> with(Verdict verdict) const;  ///< variants

  Dispatcher& dispatcher_;
  const Model& model_;
  const TrialOptions& options_;
  const MadeVariants& variants_;
  std::map<std::size_t, std::vector<Making>> makings_;  // by number of the variant, the first one as judged
};

}  // namespace culprit
