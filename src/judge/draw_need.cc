#include "judge/draw_need.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr int few = 1, some = 3, more = 9, all = 27;
constexpr double far_beyond_some = 16, far_beyond_more = 2;
constexpr std::int64_t names_that_settle = 4, of_so_many = 4;

/// What one more step of draws can tell of a difference that is a fault if it stays.
DrawNeed beyond_tolerance(const Measurement& m, double stands_out, int drawn) {
  if (drawn < some) return {some, false};
  const double times = std::isinf(m.times) ? 0 : m.times / stands_out;
  if (drawn < more) return {more, times > far_beyond_some};
  const bool are_many = m.beyond_floor >= names_that_settle && m.beyond_floor * of_so_many > m.elements;
  if (drawn < all) return {all, times > far_beyond_more || are_many};
  return {0, true};
}

}  // namespace

DrawNeed draws_needed(const Measurement& m, double stands_out, int drawn, bool strict, int most) {
  DrawNeed need;
  const bool is_other_size = is_structural(m);
  if (m.mismatched == 0 && !is_other_size) return {};
  const Verdict verdict = verdict_of(m);
  if (drawn < few) {
    need.draws = few;
  } else if (m.by_share > 0 && drawn < all) {  // how rare jumps are, few draws cannot tell
    need.draws = drawn < some ? some : drawn < more ? more : all;
  } else if (is_other_size) {
    need = drawn < more ? DrawNeed{drawn < some ? some : more, false} : DrawNeed{0, true};
  } else if (verdict == Verdict::diverged || (strict && verdict == Verdict::deviates)) {
    need = beyond_tolerance(m, stands_out, drawn);
  } else if (verdict == Verdict::deviates && drawn < some) {
    need.draws = some;
  }
  if (need.settled) return {0, true};
  need.draws = std::min(need.draws, most);
  if (need.draws > drawn) return need;
  return {0, verdict == Verdict::diverged};
}

DrawNeed more_of(const DrawNeed& a, const DrawNeed& b) { return {std::max(a.draws, b.draws), a.settled || b.settled}; }

}  // namespace culprit
