#pragma once
// How far one output of a variant is from the reference's. One field here is one field of a measurement in report.json,
// but for those that say "no field".

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit {

/// What became of the form of an output. Nothing is compared but where it stayed.
enum class FormChange {
  none,
  shape,
  other,    ///< its type, the length of a sequence, the keys of a map
  resized,  ///< as rounding alone does
};

/// The element that a message speaks of.
struct ShownElement {
  int rank = 0;    ///< 0: rounding explains it; 1: it does not; 2: beyond the tolerance as well
  double off = 0;  ///< how far it is from the reference: of those of its rank the furthest
  double reference = 0;
  double tolerance = 0;   ///< atol + rtol * |reference|
  double floor = 0;       ///< what rounding explains there
  bool is_exact = false;  ///< one of whole numbers, which are compared exactly
};

/// Errors that many elements share, and that rounding does not explain in so many, though it would in each of them.
struct SharedError {
  enum class Kind {
    none,
    ratio,   ///< all off by one share of their values
    offset,  ///< all off to one side
  };
  Kind kind = Kind::none;
  double off = 0;             ///< what they share: of a ratio the share of the value, of an offset the mean error
  double explained = 0;       ///< so much of it rounding explains, in the same unit
  std::int64_t elements = 0;  ///< that are off to that side, beyond no limit by themselves
};

/// How far an element is off, and how large it is in the reference.
struct SizedError {
  double size = 0;  ///< |reference|; finite
  double off = 0;   ///< |variant - reference|; infinity: no tolerance lets it pass
};

/// Of many errors those that decide which tolerances let all of them pass (judge/errors_by_size.h).
struct ErrorsBySize {
  std::vector<SizedError> corners = {};  ///< by size, upwards; so are the errors
  double slack = 0;  ///< others may stand out above the lines between them by so much; infinity: nothing is known
};
constexpr std::size_t most_sized_errors = 32;

/// How far one output of a variant is from the reference's, the worst over all samples.
struct Measurement {
  double max_abs = 0;  ///< largest |variant - reference|; infinity where only one is finite
  double max_rel =
      0;  ///< largest |variant - reference| / |reference|; infinity where the reference is 0 and the variant is not
  std::int64_t max_ulp = 0;             ///< largest distance in units in the last place; 0 for types without
  double cosine = 1;                    ///< cosine similarity over the finite elements, the smallest over samples
  std::int64_t nonfinite_mismatch = 0;  ///< elements where NaN/Inf stand in one and not, or differently, in the other
  std::int64_t mismatched = 0;          ///< elements that differ at all
  std::int64_t beyond_floor = 0;        ///< elements that differ by more than rounding explains: the floor, or a tie
  std::int64_t beyond_tolerance = 0;    ///< of those, the ones that differ by more than the tolerance as well
  std::int64_t ties = 0;                ///< elements that differ, and that rounding alone makes jump as well
  std::int64_t by_share = 0;            ///< of those, the ones that no draw made jump: so few are as rare jumps are
  std::int64_t finite_instead = 0;  ///< of directed samples: NaN or infinite in the reference alone; mismatched only
  std::int64_t elements = 0;        ///< compared, over all samples
  /// The element that is furthest beyond what rounding may do to it, in all samples: how far it is off, what rounding
  /// may do to it, and off / floor. Where none is beyond, it is the one that comes nearest. 0 where no number differs.
  double worst = 0, floor = 0, times = 0;
  std::int64_t by_share_beyond = 0;  ///< of `by_share`, the ones beyond the tolerance; no field
  double told = 0;  ///< the most times of elements that draws move: of one that stood still they tell little; no field
  std::int64_t excused = 0;  ///< elements beyond the tolerance that rounding explains all the same, no ties; no field
  double atol = 0;           ///< the tolerances used: |v - r| <= atol + rtol * |r|; atol: of that element
  double rtol = 0;
  FormChange form = FormChange::none;  ///< what `note` then tells of; no field
  ShownElement shown;                  ///< no field
  SharedError shared;                  ///< of errors that many elements share; the furthest of all samples
  /// The unit of which they all are multiples, in the model and in the variant, where whole numbers are others. Else 0.
  double unit = 0;
  int undecided = 0;    ///< so many draws would tell whether an error is shared, or a whole number is wrong; no field
  ErrorsBySize beyond;  ///< the elements that `beyond_floor` counts: which other tolerances would let them pass
  std::string note;  ///< "shape [1,2] became [2]", "float32 became float16", "signed zeros differ", "the model itself
                     ///< gives -inf, the variant 3"; what errors are shared; else ""
};
using Measurements = std::map<std::string, Measurement>;  ///< by output name of the reference

}  // namespace culprit
