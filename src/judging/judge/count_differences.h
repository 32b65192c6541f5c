#pragma once
// Counts the elements that differ, each against what rounding explains of it.

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "judge/errors_by_size.h"
#include "judge/judge.h"
#include "judge/scales.h"
#include "judge/shared_errors.h"
#include "judge/tolerance.h"
#include "record/measurement.h"

namespace culprit {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Tally {
 public:
  Tally(const Tensor& reference, const Tolerance& tolerance, const Rounding& rounding, Measurement& m);

  /// Element `i` is the number `v` in place of `r`, both finite; `difference` is exact where they are 64-bit integers.
  void number(std::int64_t i, double r, double v, double difference);
  /// One of both is NaN or infinite, and the other is not, or is another one.
  void nonfinite(std::int64_t i, double r, double v);
  /// Another name stands there.
  void name(std::int64_t i, std::int64_t value);
  void name(std::int64_t i, const std::string& text);

  /// Decides on the elements that no draw explains by itself: so few of a scale are as rare jumps are.
  void finish();

 private:
  /// How far off the element is that is furthest beyond its limit, and what it was held against.
  struct Worst {
    double times = 0, off = 0, limit = 0, atol = 0, reference = 0;
    double unit = 0;  // of a whole number
  };
  /// Elements of a scale that went about as far as rare jumps go.
  struct Doubtful {
    std::int64_t elements = 0, beyond_tolerance = 0, nonfinite = 0;
    Worst worst, largest;
    ErrorCollector errors;
  };

  [[nodiscard]] const Flip* flip_at(std::int64_t i) const;
  [[nodiscard]] std::size_t scale_at(std::int64_t i) const;
  /// What draws of the variant itself allow.
  [[nodiscard]] double own_limit_at(std::int64_t i) const;
  [[nodiscard]] Worst held_against(std::int64_t i, double r, double difference) const;
  [[nodiscard]] double atol_at(std::int64_t i, double r) const;
  void explained_by_rounding(std::int64_t i, double r, double error, const Worst& worst);
  /// The unit of a whole number that no draw moves, and that is another one in the variant. Else 0.
  [[nodiscard]] double unit_of_other(std::int64_t i, double v);
  /// Is it about as far as rare jumps of that scale go, or as rare errors stand out?
  [[nodiscard]] bool is_jump(std::size_t scale, const Worst& worst) const;
  [[nodiscard]] double tolerance_of(const Worst& worst) const;
  void show(int rank, const Worst& worst);
  void wrong(const Worst& worst, bool beyond_tolerance);
  void doubtful(Doubtful& of, const Worst& worst, bool beyond_tolerance) const;
  void decide(const Doubtful& of, std::int64_t unseen);
  void wrong_name(bool is_tie);
  void collect(ErrorCollector& errors, const Worst& worst) const;
  void decide_on_chance();
  void decide_on_lent();
  void decide_on_shared();
  void decide_on_shared(const SharedErrors::Found& found);

  const Explained* explained_;
  const Explained* of_variant_;
  bool is_directed_, forgives_;
  Measurement& m_;
  std::vector<Bounds> bounds_;             // by scale
  std::vector<Bounds> bounds_of_variant_;  // by its scale
  std::vector<Doubtful> doubtful_;         // by scale
  Doubtful flips_;                         // names, NaN and infinities, of all scales
  Worst explained_worst_, worst_;
  /// By rank (ShownElement): the one that is furthest off.
  std::array<Worst, 3> furthest_;
  ErrorCollector errors_, chance_errors_;
  bool is_exact_;                 // no tolerance lets another value pass
  bool has_own_atol_;             // it is given, and no share of a scale
  std::int64_t lent_ = 0;         // elements that few draws carried nowhere near that far, but others of their scale
  std::int64_t lent_beyond_ = 0;  // of these, beyond the tolerance
  std::int64_t chances_ = 0;      // elements just beyond, within the tolerance
  Worst worst_chance_;
  std::vector<SharedLimit> shared_limits_;
  SharedErrors shared_;  // of elements that are explained by themselves
};

}  // namespace culprit
