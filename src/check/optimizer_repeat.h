#pragma once
// The control `optimizer_repeat`: the same recipe in a freshly started optimizer must make the same model. If it does
// not, nothing that was found about that recipe need hold for the model that a user will make.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/desk.h"
#include "check/evidence.h"
#include "check/study.h"

namespace culprit {

class OptimizerRepeat {
 public:
  OptimizerRepeat(Desk& desk, const Basis& basis, const Study& study) : desk_(desk), basis_(basis), study_(study) {}
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
  /// The fault of an optimizer that does not repeat; `ids` are those of the attempts. Without an id of its own.
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

  void make(const std::vector<std::size_t>& attempts);
  [[nodiscard]] Verdict verdict_on(const std::vector<Making>& makings) const;
  [[nodiscard]] std::string text(std::size_t attempt, const std::vector<Making>& makings) const;
  [[nodiscard]] std::vector<std::size_t> with(Verdict verdict) const;  ///< attempts

  Desk& desk_;
  const Basis& basis_;
  const Study& study_;
  std::map<std::size_t, std::vector<Making>> makings_;  // by number of the attempt, the study's own first
};

}  // namespace culprit
