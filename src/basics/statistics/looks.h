#pragma once
// May one look at an interval again and again, and stop when it tells what one wants to hear? Looking twenty times at
// plain 95 % intervals calls two equal things different in a quarter of all cases (P. Armitage, C. K. McPherson, B. C.
// Rowe, "Repeated significance tests on accumulating data", J. R. Stat. Soc. A 132, 1969). Here the 5 % are spent over
// the looks (K. K. G. Lan, D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983):
// what all looks may err together is at most 5 %, by Bonferroni's sum, so nothing need be known of how looks hang
// together.

#include <cstdint>

namespace culprit {

class Looks {
 public:
  /// One look that is all: at the whole 5 %.
  static Looks once() { return Looks(1); }
  /// Eight looks at 0.5 % each, and if that was not enough, one after the other at half of what is left of the last 1
  /// %.
  static Looks many() { return Looks(8); }

  /// Values that the next look needs: 9, 14, 21, 32 ...; of `once` any.
  [[nodiscard]] std::int64_t due() const { return due_; }
  /// Confidence of the next look's interval; after the call the look is spent.
  double look();
  [[nodiscard]] std::int64_t looked() const { return looked_; }

 private:
  explicit Looks(std::int64_t planned) : planned_(planned), due_(planned == 1 ? 1 : 9) {}
  std::int64_t planned_, due_, looked_ = 0;
};

}  // namespace culprit
