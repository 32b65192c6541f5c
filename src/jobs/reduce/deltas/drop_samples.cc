#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

std::optional<Case> without_samples(const View& view, std::size_t first, std::size_t last) {
  if (last - first >= view.samples.size()) return std::nullopt;
  std::vector<Inputs> samples = view.samples;
  samples.erase(samples.begin() + static_cast<std::ptrdiff_t>(first),
                samples.begin() + static_cast<std::ptrdiff_t>(last));
  return Case{std::make_shared<onnx::ModelProto>(view.model), std::move(samples)};
}

}  // namespace

Delta drop_samples() {
  return {Delta::Way::halving, false, [](const View& view) { return view.samples.size(); }, without_samples, {}};
}

}  // namespace culprit
