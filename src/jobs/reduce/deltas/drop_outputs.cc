#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

std::optional<Case> without_outputs(const View& view, std::size_t first, std::size_t last) {
  const auto& outputs = view.model.graph().output();
  if (last - first >= static_cast<std::size_t>(outputs.size())) return std::nullopt;
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  made->mutable_graph()->mutable_output()->DeleteSubrange(static_cast<int>(first), static_cast<int>(last - first));
  std::vector<Inputs> samples = view.samples;
  sweep(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

}  // namespace

Delta drop_outputs() {
  return {Delta::Way::halving,
          false,
          [](const View& view) { return static_cast<std::size_t>(view.model.graph().output_size()); },
          without_outputs,
          {}};
}

}  // namespace culprit
