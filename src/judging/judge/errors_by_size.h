#pragma once
// Which tolerances would let all errors of an output pass, told by few of them: so a verdict can be worked out again
// for other tolerances, without the tensors.

#include <limits>
#include <vector>

#include "record/measurement.h"

namespace culprit {

/// Collects errors, and keeps those that decide: of `off - rtol x size` the largest, for each rtol >= 0. They are the
/// upper left corners of the convex hull of all (size, off), at most `most_sized_errors` of them.
class ErrorCollector {
 public:
  void add(const SizedError& error);
  void add(const ErrorsBySize& others);
  /// Adds an error that no tolerance lets pass.
  void add_wrong() { add({0, infinite}); }
  [[nodiscard]] ErrorsBySize result() const;

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  void keep_corners();
  ErrorsBySize kept_;
  std::vector<SizedError> new_;
};

/// What decides for the errors of `a` and of `b` together.
ErrorsBySize all_errors(const ErrorsBySize& a, const ErrorsBySize& b);

enum class WithinTolerance { yes, no, unsure };
/// Says whether all errors lie within `atol + rtol x size`. `atol` and `rtol` are finite and not negative.
/// The answer is `unsure` if it hangs on errors that are not kept.
WithinTolerance are_within(const ErrorsBySize& errors, double atol, double rtol);

}  // namespace culprit
