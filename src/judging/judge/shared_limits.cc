#include "judge/shared_limits.h"

#include <algorithm>
#include <cmath>

#include "judge/element_readers.h"

namespace culprit {
namespace {

constexpr double as_far_alike = 4;  // as any draw
constexpr double epsilons_alike = 2;

template <class Elements>
void add_values(const Tensor& reference, std::int64_t parts, const Drawn& drawn, std::vector<SharedLimit>& limits) {
  const Elements elements(reference);
  for (std::int64_t i = 0; i < parts; ++i) {
    const double r = elements.number(i);
    if (!std::isfinite(r)) continue;
    const auto at = static_cast<std::size_t>(i);
    const double square = r * r, reach = drawn.reach.empty() ? 0 : drawn.reach[at];
    drawn.shared.groups.each(at, r, [&](std::size_t group) {
      SharedLimit& limit = limits[group];
      ++limit.elements;
      limit.squares += square;
      limit.fourths += square * square;
      limit.reach += reach;
    });
  }
}

}  // namespace

std::vector<SharedLimit> shared_limits(const Tensor& reference, const Drawn& drawn, double eps, double least) {
  const SharedByDraws& shared = drawn.shared;
  if (drawn.draws == 0 || drawn.nature != Nature::smooth || shared.groups.count() == 0) return {};
  std::vector<SharedLimit> limits(shared.groups.count());
  with_float_elements(reference.dtype(), reference.count(), [&]<class Elements>(std::int64_t parts) {
    add_values<Elements>(reference, parts, drawn, limits);
  });
  for (std::size_t group = 0; group < limits.size(); ++group) {
    SharedLimit& limit = limits[group];
    if (limit.elements == 0 || !(limit.squares > 0)) continue;
    const auto count = static_cast<double>(limit.elements);
    const double rms = limit.rms();
    const double alone = std::max(epsilons_alike * eps * rms, limit.reach / count) + least;
    const double products = shared.products.empty() ? 0 : shared.products[group];
    const double errors = shared.errors.empty() ? 0 : shared.errors[group];
    limit.ratio = as_far_alike * products / limit.squares + alone / rms;
    limit.offset = as_far_alike * errors / count + alone;
  }
  return limits;
}

void widen(std::vector<SharedLimit>& limits, const std::vector<SharedLimit>& others) {
  if (limits.size() != others.size()) return;
  for (std::size_t group = 0; group < limits.size(); ++group) {
    limits[group].ratio = std::max(limits[group].ratio, others[group].ratio);
    limits[group].offset = std::max(limits[group].offset, others[group].offset);
  }
}

}  // namespace culprit
