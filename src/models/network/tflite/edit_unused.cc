// What nobody takes any more: inputs and constants.
#include <set>

#include "network/tflite/edit_work.h"
#include "network/tflite/file_tail.h"
#include "network/tflite/flat_gaps.h"

namespace culprit {
namespace {

/// Tensors that operators take or give, or that are outputs.
std::set<std::int32_t> tensors_in_use(const TfliteSubgraph& graph) {
  std::set<std::int32_t> used(graph.outputs.begin(), graph.outputs.end());
  for (const TfliteOperator& node : graph.operators)
    for (const auto* tensors : {&node.inputs, &node.outputs, &node.intermediates})
      used.insert(tensors->begin(), tensors->end());
  return used;
}

std::set<std::uint32_t> buffers_in_use(const TfliteGraph& graph) {
  std::set<std::uint32_t> used{0};
  for (const auto& [name, buffer] : graph.metadata) used.insert(buffer);
  for (const TfliteSubgraph& subgraph : graph.subgraphs)
    for (const std::int32_t tensor : tensors_in_use(subgraph))
      if (tensor >= 0) used.insert(subgraph.tensors[static_cast<std::size_t>(tensor)].buffer);
  return used;
}

}  // namespace

Result<void> TfliteEdit::drop_unused() {
  const auto now = finish();
  if (!now) return tl::unexpected(now.error());
  const TfliteGraph& graph = now->graph();
  const auto in_use = tensors_in_use(graph.subgraphs.front());
  auto inputs = graph.subgraphs.front().inputs;
  std::erase_if(inputs, [&](std::int32_t input) { return !in_use.contains(input); });
  if (auto done = set_graph_inputs(0, inputs); !done) return done;
  for (std::size_t at = 0; at < graph.signatures.size(); ++at) {
    if (graph.signatures[at].subgraph != 0) continue;
    auto named = graph.signatures[at].inputs;
    std::erase_if(named, [&](const auto& input) { return !in_use.contains(static_cast<std::int32_t>(input.second)); });
    if (auto done = set_signature_inputs(at, named); !done) return done;
  }
  const auto kept = buffers_in_use(graph);
  for (std::size_t at = 0; at < graph.subgraphs.size(); ++at) {
    const auto& tensors = graph.subgraphs[at].tensors;
    for (std::size_t number = 0; number < tensors.size(); ++number) {
      if (kept.contains(tensors[number].buffer)) continue;
      const auto tensor = work_->tensor({at, number});
      if (!tensor) return tl::unexpected(tensor.error());
      if (auto done = work_->set_number<std::uint32_t>(*tensor, "buffer", 0); !done) return done;
    }
  }
  for (std::uint32_t number = 0; number < graph.buffers.size(); ++number) {
    const TfliteBufferPlace& place = graph.buffers[number];
    if (kept.contains(number) || place.is_behind || place.size == 0) continue;
    const auto buffer = work_->element(work_->model(), "buffers", number);
    if (!buffer) return tl::unexpected(buffer.error());
    if (auto done = work_->set_list<char>(*buffer, "data", std::string_view(), 16); !done) return done;
  }
  return {};
}

Result<TfliteFile> TfliteEdit::finish_without_gaps() const {
  auto file = finish();
  if (!file || end_of_flatbuffer(file->bytes()) != file->bytes().size()) return file;
  const std::string bytes(file->bytes());
  const auto index = index_flat({std::as_bytes(std::span(bytes))}, tflite_schema().table("Model"), work_->where);
  if (!index) return tl::unexpected(index.error());
  if (index->has_unknown_fields_before(bytes.size())) return file;
  return TfliteFile::parse(without_gaps(bytes, *index), work_->where);
}

}  // namespace culprit
