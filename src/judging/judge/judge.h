#pragma once
// Outputs against the reference's -> measurements -> verdict. Sees tensors only.
//
// Two limits, elementwise. The noise floor is measured (docs/judging.md): what lies within it is rounding, and
// equivalent. The tolerance is |v - r| <= atol + rtol * |r|: what lies within it deviates, what lies beyond both has
// diverged. Its defaults scale with the output, so that they mean the same for probabilities and for pixels:
// atol = atol_scale(dtype) x RMS(finite elements of r).
//
//   dtype      rtol   atol_scale      integers, bools, strings: exact
//   float64    1e-6   1e-7
//   float32    1e-3   1e-4
//   float16    1e-2   1e-2
//   bfloat16   5e-2   5e-2
//   float8     0.25   0.25

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/scales.h"
#include "record/enum_names.h"
#include "record/measurement.h"
#include "tensor/tensor.h"

namespace culprit {

struct Tolerance {
  std::optional<double> atol;  ///< absolute, as given by --atol; absent: the default scale above
  std::optional<double> rtol;  ///< absent: the default above
};

/// What is known of rounding in one output of one sample.
struct Rounding {
  const Explained* explained = nullptr;  ///< null: nothing is, and bits must agree
  bool is_directed = false;  ///< a made-up extreme: that the variant is finite where the reference is not is no fault
  /// Few draws leave some elements just beyond their limits by chance. Within the tolerance these are rounding, too.
  bool forgives = false;
  /// What draws of the variant itself explain, where it computes by other operators; null: it was not drawn.
  const Explained* of_variant = nullptr;
};

/// Is what is wrong within the tolerance of the output's largest scale? Then the variant may make an element of numbers
/// of that size, and draws of it tell (Rounding::of_variant).
bool may_be_of_variant(const Measurement& measurement, DType type, const Tolerance& tolerance,
                       const Explained& explained);

/// Compares one output of one sample. Shapes or types that differ are said in `note` and make `verdict_of` diverged;
/// nothing is compared then, so every element counts as beyond tolerance and the distances are infinite. NaN equals
/// NaN, an infinity equals itself. Signed zeros that differ are noted and count as equal. The cosine of two zero
/// vectors is 1, of one 0. Complex numbers count as two elements each. `--atol` and `--rtol` do not loosen exact types.
Measurement measure(const Tensor& reference, const Tensor& variant, const Tolerance& tolerance,
                    const Rounding& rounding = {});

/// Sizes of an output whose shape hangs on values (NonZero, Unique) may be this many times further off than rounding
/// alone was seen to move them, as with the noise floor. Nothing is compared then: all elements are ties.
constexpr std::int64_t times_resized = 4;

/// Something else stands there, so nothing is compared: every element counts as beyond tolerance, and the note ("...
/// became ...") tells what.
Measurement unlike(const Tensor& reference, FormChange form, std::string note);

/// Rounding alone changes that size as well ("... resized to ..."), so nothing is compared and all elements are ties;
/// the note says so.
Measurement resized(std::int64_t elements, std::string note);

/// The worse of two measurements of the same output, field by field; counts add up.
Measurement worse(const Measurement& a, const Measurement& b);

/// equivalent (no element differs by more than rounding explains), deviates (some do, all within tolerance), diverged
/// (beyond, or shape, type, NaN pattern). inconclusive: `says_nothing`; of several outputs, diverged outweighs it.
Verdict verdict_of(const Measurement& measurement);
Verdict verdict_of(const Measurements& measurements);  ///< the worst of all outputs

/// Does a measurement tell of another shape or type?
bool is_structural(const Measurement& measurement);
/// Does it tell of a shape that rounding alone changes as well?
bool is_resized(const Measurement& measurement);
/// Was the shape so on every sample, and nothing compared at all?
bool says_nothing(const Measurement& measurement);

}  // namespace culprit
