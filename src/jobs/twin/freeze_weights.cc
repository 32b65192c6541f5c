#include "twin/freeze_weights.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace culprit {

std::int64_t freeze(onnx::ModelProto& model) {
  constexpr std::int64_t first_with_constants = 4;
  model.set_ir_version(std::max<std::int64_t>(model.ir_version(), first_with_constants));
  auto& graph = *model.mutable_graph();
  std::set<std::string_view> stored;
  for (const auto& tensor : graph.initializer()) stored.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) stored.insert(tensor.values().name());
  auto& inputs = *graph.mutable_input();
  const auto kept = std::stable_partition(inputs.pointer_begin(), inputs.pointer_end(),
                                          [&](const auto* input) { return !stored.contains(input->name()); });
  const auto count = static_cast<int>(inputs.pointer_end() - kept);
  inputs.DeleteSubrange(inputs.size() - count, count);
  return count;
}

}  // namespace culprit
