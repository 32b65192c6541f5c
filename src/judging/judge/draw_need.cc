#include "judge/draw_need.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr double far_beyond_some = 16, far_beyond_more = 2;
constexpr std::int64_t names_that_settle = 4, of_so_many = 4;

/// What one more step of draws can tell of a difference that is a fault if it stays.
DrawNeed beyond_tolerance(const Measurement& m, double stands_out, int drawn) {
  if (drawn < some_draws) return {some_draws, false};
  const double times = std::isinf(m.told) ? 0 : m.told / stands_out;
  if (drawn < more_draws) return {more_draws, times > far_beyond_some};
  const bool are_many = m.beyond_floor >= names_that_settle && m.beyond_floor * of_so_many > m.elements;
  if (drawn < all_draws) return {all_draws, times > far_beyond_more || are_many};
  return {0, true};
}

/// The next step.
int next_draws(int drawn) { return drawn < some_draws ? some_draws : drawn < more_draws ? more_draws : all_draws; }

bool needs_more_to_decide(const Measurement& m, Verdict verdict, int drawn) {
  return !is_structural(m) && verdict != Verdict::diverged && drawn < m.undecided;
}

}  // namespace

DrawNeed draws_needed(const Measurement& m, double stands_out, int drawn, bool strict, int most) {
  DrawNeed need;
  const bool is_other_size = is_structural(m);
  if (m.mismatched == 0 && !is_other_size) return {};
  const Verdict verdict = verdict_of(m);
  const std::int64_t by_share = strict ? m.by_share : m.by_share_beyond;  // that would be a fault without that excuse
  if (drawn < first_draw) {
    need.draws = first_draw;
  } else if ((by_share > 0 && drawn < all_draws) || needs_more_to_decide(m, verdict, drawn)) {
    need.draws = next_draws(drawn);  // how rare jumps are, few draws cannot tell
  } else if (is_other_size) {
    need = drawn < more_draws ? DrawNeed{drawn < some_draws ? some_draws : more_draws, false} : DrawNeed{0, true};
  } else if (verdict == Verdict::diverged || (strict && verdict == Verdict::deviates)) {
    need = beyond_tolerance(m, stands_out, drawn);
  } else if ((verdict == Verdict::deviates || m.by_share > 0) && drawn < some_draws) {
    need.draws = some_draws;
  }
  if (need.settled) return {0, true};
  need.draws = std::min(need.draws, most);
  if (need.draws > drawn) return need;
  return {0, verdict == Verdict::diverged};
}

DrawNeed more_of(const DrawNeed& a, const DrawNeed& b) { return {std::max(a.draws, b.draws), a.settled || b.settled}; }

}  // namespace culprit
