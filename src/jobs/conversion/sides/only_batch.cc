#include "conversion/sides/only_batch.h"

#include <algorithm>

#include "base/as_index.h"

namespace culprit {

std::optional<std::int64_t> only_batch(const TfliteFile& file) {
  if (file.graph().subgraphs.empty() || file.graph().subgraphs[0].inputs.empty()) return std::nullopt;
  const TfliteSubgraph& graph = file.graph().subgraphs[0];
  const auto computes_its_shape = [&](const TfliteOperator& node) {
    if (file.operator_name(node) != "TRANSPOSE_CONV" || node.inputs.empty()) return false;
    return std::ranges::any_of(graph.operators, [&](const TfliteOperator& maker) {
      return std::ranges::find(maker.outputs, node.inputs[0]) != maker.outputs.end();
    });
  };
  if (std::ranges::none_of(graph.operators, computes_its_shape)) return std::nullopt;
  const TfliteTensor& input = graph.tensors[as_index(graph.inputs[0])];
  return input.shape.empty() || input.shape[0] < 1 ? std::nullopt : std::optional<std::int64_t>(input.shape[0]);
}

}  // namespace culprit
