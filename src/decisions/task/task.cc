#include "task/task.h"

namespace culprit {

Result<std::unique_ptr<Decision>> DecisionTask::decide_of(std::span<const NamedTensor> outputs,
                                                          const SampleText* /*text*/) const {
  return decide(outputs);
}

ToldDecision DecisionTask::tell(const Decision& /*decision*/, const Truth* /*truth*/) const { return {}; }

Result<bool> DecisionTask::changes_alike(const Decision& reference, const Decision& variant,
                                         const Decision& draw) const {
  const auto between = change(draw, variant);
  if (!between) return tl::unexpected(between.error());
  if (!between->changed) return true;
  const auto by_variant = change(reference, variant);
  const auto by_draw = change(reference, draw);
  if (!by_variant || !by_draw) return tl::unexpected(by_variant ? by_draw.error() : by_variant.error());
  return by_draw->changed && by_draw->margin >= by_variant->margin;
}

}  // namespace culprit
