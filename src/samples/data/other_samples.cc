#include "data/other_samples.h"

#include <algorithm>
#include <array>

namespace culprit {
namespace {

struct Widening {
  double scale;               // of floats
  std::int64_t integer_high;  // 0: as it was
};

constexpr std::array<Widening, 7> ranges = {
    {{4, 15}, {16, 255}, {1.0 / 16, 3}, {1, 1000}, {4, 0}, {16, 0}, {1.0 / 16, 0}}};

bool has_kind(const Interface& interface, const SynthesisPlan& plan, bool (*is_kind)(DType)) {
  return std::ranges::any_of(interface.inputs, [&](const ValueInfo& input) {
    return is_kind(input.dtype) && !plan.values.contains(input.name);
  });
}

}  // namespace

std::vector<Redraw> redraws_of(const Interface& interface, const SynthesisPlan& plan) {
  const bool has_floats = has_kind(interface, plan, is_float);
  const bool has_integers = has_kind(interface, plan, is_integer);
  const bool has_others = has_kind(interface, plan, [](DType t) { return t == DType::boolean || t == DType::string; });
  std::vector<Redraw> redraws;
  if (!has_floats && !has_integers && !has_others) return redraws;
  for (const Widening& range : ranges) {
    if (range.integer_high == 0 && !has_integers) continue;  // nothing that could be refused: the same once more
    Redraw redraw{plan, redraws.size() + 1};
    if (has_floats) redraw.plan.float_scale = plan.float_scale * range.scale;
    if (range.integer_high > 0) redraw.plan.integer_high = std::max(plan.integer_high, range.integer_high);
    redraws.push_back(std::move(redraw));
  }
  return redraws;
}

}  // namespace culprit
