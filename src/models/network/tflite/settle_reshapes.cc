#include "network/tflite/settle_reshapes.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "network/tflite/tflite_edit.h"

namespace culprit {
namespace {

constexpr std::int8_t int32_type = 2;

const TfliteOperator* maker_of(const TfliteSubgraph& graph, std::int32_t tensor) {
  const auto found = std::ranges::find_if(graph.operators, [&](const TfliteOperator& node) {
    return std::ranges::find(node.outputs, tensor) != node.outputs.end();
  });
  return found == graph.operators.end() ? nullptr : &*found;
}

/// The number of a constant of one int32; nothing for all else.
std::optional<std::int32_t> number_in(const TfliteFile& file, const TfliteTensor& tensor) {
  const auto bytes = file.buffer(tensor.buffer);
  std::int32_t number = 0;
  if (tensor.type != int32_type || bytes.size() != sizeof number) return std::nullopt;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

/// The shape with -1 for what is computed; nothing where there is more of that than one size.
std::optional<std::vector<std::int32_t>> packed_shape(const TfliteFile& file, const TfliteSubgraph& graph,
                                                      std::int32_t shape) {
  const TfliteOperator* pack = maker_of(graph, shape);
  if (pack == nullptr || file.operator_name(*pack) != "PACK") return std::nullopt;
  std::vector<std::int32_t> dims;
  for (const std::int32_t input : pack->inputs) {
    const auto number = number_in(file, graph.tensors.at(static_cast<std::size_t>(input)));
    const bool is_computed = maker_of(graph, input) != nullptr;
    if (!number && !is_computed) return std::nullopt;
    dims.push_back(number.value_or(-1));
  }
  return std::ranges::count(dims, -1) <= 1 ? std::optional(dims) : std::nullopt;
}

bool is_computed_reshape(const TfliteFile& file, const TfliteSubgraph& graph, const TfliteOperator& node) {
  return node.inputs.size() == 2 && node.inputs[1] >= 0 && file.operator_name(node) == "RESHAPE" &&
         file.buffer(graph.tensors.at(static_cast<std::size_t>(node.inputs[1])).buffer).empty();
}

Result<void> set_shape(TfliteEdit& edit, TflitePlace node, std::int32_t reshaped, std::span<const std::int32_t> dims) {
  const std::string data(reinterpret_cast<const char*>(dims.data()), dims.size_bytes());
  const auto made = edit.append_tensor(
      node.subgraph,
      {"settled_shape_" + std::to_string(node.number), int32_type, {static_cast<std::int32_t>(dims.size())}, data});
  if (!made) return tl::unexpected(made.error());
  const std::vector<std::int32_t> inputs{reshaped, static_cast<std::int32_t>(*made)};
  return edit.set_inputs(node, inputs);
}

}  // namespace

TfliteFile settle_reshapes(const TfliteFile& file) {
  std::optional<TfliteEdit> edit;
  const auto& graphs = file.graph().subgraphs;
  for (std::size_t of = 0; of < graphs.size(); ++of) {
    for (std::size_t i = 0; i < graphs[of].operators.size(); ++i) {
      const TfliteOperator& node = graphs[of].operators[i];
      const auto dims =
          is_computed_reshape(file, graphs[of], node) ? packed_shape(file, graphs[of], node.inputs[1]) : std::nullopt;
      if (!dims) continue;
      if (!edit) {
        auto started = TfliteEdit::start(file);
        if (!started) return file;
        edit.emplace(std::move(*started));
      }
      if (!set_shape(*edit, {of, i}, node.inputs[0], *dims)) return file;
    }
  }
  if (!edit) return file;
  auto settled = edit->finish();
  return settled.value_or(file);
}

}  // namespace culprit
