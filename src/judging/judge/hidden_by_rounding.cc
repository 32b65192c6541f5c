#include "judge/hidden_by_rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "judge/tolerance.h"

namespace culprit {
namespace {

constexpr std::size_t outputs_named = 3;
constexpr std::int64_t one_in = 10;

}  // namespace

void Hidden::add(const Tensor& reference, const Explained& explained, const Tolerance& tolerance) {
  if (is_exact(reference.dtype()) || reference.dtype() == DType::c64 || reference.dtype() == DType::c128) return;
  std::vector<Bounds> bounds;
  for (const Scale& scale : explained.scales) bounds.push_back(bounds_for(reference.dtype(), scale.rms, tolerance));
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double r = std::abs(reference.number(i));
    const Bounds& own = bounds[explained.scale_at(at)];
    ++elements;
    // Of zeros alone rounding makes no more than the number next to zero.
    if (explained.limit_at(at, r) > own.atol + own.rtol * r + explained.least) ++hidden;
  }
}

std::optional<Warning> floor_hides(const std::map<std::string, Hidden>& by_output) {
  std::vector<std::string> texts;
  for (const auto& [label, of] : by_output) {
    if (of.hidden > 0 && of.hidden * one_in >= of.elements)
      texts.push_back(fmt::format("{} of {} elements of output '{}'", of.hidden, of.elements, printable(label, 100)));
  }
  if (texts.empty()) return std::nullopt;
  const std::size_t count = texts.size();
  texts.resize(std::min(count, outputs_named));
  std::string text =
      "rounding alone may move elements further than the tolerance, so smaller faults cannot be seen there: " +
      join(texts, "; ");
  if (count > outputs_named) text += fmt::format("; and {} more outputs", count - outputs_named);
  return Warning{"floor_hides", text};
}

}  // namespace culprit
