#pragma once
// When may one stop looking at samples? A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Stat. 16,
// 1945: after each sample the likelihood of "a share P agrees" over that of "a share P - DELTA agrees" is held against
// two bounds, (1 - beta) / alpha and beta / (1 - alpha). Evidence comes in steps, so that the upper bound counts as
// reached at the step that is nearest to it. The samples must come in an order made by chance.

#include <cstdint>

#include "base/error.h"

namespace culprit {

enum class SequentialAnswer {
  undecided,
  holds,  ///< P; wrong in at most 5 % of the cases in which only P - DELTA holds
  fails,  ///< only P - DELTA; wrong in at most 5 % of the cases in which P holds
};

class SequentialTest {
 public:
  /// ErrorKind::usage unless 0 < share - delta < share < 1, and both errors lie between 0 and 1/2.
  static Result<SequentialTest> of(double share, double delta, double alpha = 0.05, double beta = 0.05);

  /// Once it is sure, it stays so, whatever comes.
  SequentialAnswer add(bool agrees);
  [[nodiscard]] SequentialAnswer answer() const { return answer_; }
  [[nodiscard]] std::int64_t samples() const { return agreed_ + changed_; }
  /// Samples after which it is sure if none of them changes: 2,940 for 99.9 % against 99.8 %.
  [[nodiscard]] std::int64_t least_samples() const;

 private:
  SequentialTest() = default;
  [[nodiscard]] double evidence() const;

  double for_agreed_ = 0, for_changed_ = 0;  ///< what one sample adds to the logarithm of the ratio
  double upper_ = 0, lower_ = 0;
  std::int64_t agreed_ = 0, changed_ = 0;
  SequentialAnswer answer_ = SequentialAnswer::undecided;
};

}  // namespace culprit
