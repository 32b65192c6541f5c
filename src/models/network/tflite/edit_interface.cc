// What a subgraph takes and gives: inner tensors as outputs and as inputs.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "network/tflite/edit_work.h"

namespace culprit {
namespace {

bool is_among(const std::vector<std::int32_t>& tensors, std::int32_t tensor) {
  return std::ranges::find(tensors, tensor) != tensors.end();
}

std::string fed_name(std::int32_t tensor) { return fmt::format("fed_{}", tensor); }

bool has_signature(const TfliteGraph& graph, std::size_t subgraph) {
  return std::ranges::find(graph.signatures, subgraph, &TfliteSignature::subgraph) != graph.signatures.end();
}

}  // namespace

Result<void> TfliteEdit::Work::rename(TflitePlace at, const std::string& name) {
  auto found = tensor(at);
  return found ? set_text(*found, "name", name) : Result<void>(tl::unexpected(found.error()));
}

Result<void> TfliteEdit::set_name(TflitePlace tensor, const std::string& name) { return work_->rename(tensor, name); }

Result<void> TfliteEdit::show_tensors(std::size_t subgraph, std::span<const std::int32_t> tensors) {
  const auto now = finish();
  if (!now) return tl::unexpected(now.error());
  const auto& graphs = now->graph().subgraphs;
  if (subgraph >= graphs.size()) return tl::unexpected(work_->no_such("subgraph", subgraph, graphs.size()));
  const TfliteSubgraph& graph = graphs[subgraph];
  const bool is_named = has_signature(now->graph(), subgraph);
  auto shown = graph.outputs;
  for (const auto tensor : tensors) {
    shown.push_back(tensor);
    if (is_named || is_among(graph.inputs, tensor) || is_among(graph.outputs, tensor)) continue;
    const TflitePlace place{subgraph, static_cast<std::size_t>(tensor)};
    if (auto done = work_->rename(place, fmt::format("inner_{}", tensor)); !done) return done;
  }
  if (auto done = set_graph_outputs(subgraph, shown); !done) return done;
  for (std::size_t at = 0; at < now->graph().signatures.size(); ++at) {
    auto outputs = now->graph().signatures[at].outputs;
    if (now->graph().signatures[at].subgraph != subgraph) continue;
    for (const auto tensor : tensors)
      outputs.emplace_back(fmt::format("inner_{}", tensor), static_cast<std::uint32_t>(tensor));
    if (auto done = set_signature_outputs(at, outputs); !done) return done;
  }
  return {};
}

/// What an operator gives for this tensor goes to a new one like it: its number; -1 where no operator makes it.
Result<std::int32_t> TfliteEdit::give_elsewhere(TflitePlace at, TfliteSubgraph& graph) {
  const auto tensor = static_cast<std::int32_t>(at.number);
  const TfliteTensor& given = graph.tensors[at.number];
  const auto maker = std::ranges::find_if(
      graph.operators, [tensor](const TfliteOperator& node) { return is_among(node.outputs, tensor); });
  if (maker == graph.operators.end()) return -1;
  const auto made = append_tensor(at.subgraph, {fmt::format("made_{}", tensor), given.type, given.shape, {}});
  if (!made) return tl::unexpected(made.error());
  if (given.quantization) {
    auto done = set_quantization({at.subgraph, *made}, *given.quantization);
    if (!done) return tl::unexpected(done.error());
  }
  std::ranges::replace(maker->outputs, tensor, static_cast<std::int32_t>(*made));
  const auto number = static_cast<std::size_t>(maker - graph.operators.begin());
  if (auto done = set_outputs({at.subgraph, number}, maker->outputs); !done) return tl::unexpected(done.error());
  return static_cast<std::int32_t>(*made);
}

Result<std::vector<std::int32_t>> TfliteEdit::feed_tensors(std::size_t subgraph,
                                                           std::span<const std::int32_t> tensors) {
  const auto now = finish();
  if (!now) return tl::unexpected(now.error());
  if (subgraph >= now->graph().subgraphs.size())
    return tl::unexpected(work_->no_such("subgraph", subgraph, now->graph().subgraphs.size()));
  TfliteSubgraph graph = now->graph().subgraphs[subgraph];
  const bool is_named = has_signature(now->graph(), subgraph);
  std::vector<std::int32_t> own, fed;
  for (const auto tensor : tensors) {
    const TflitePlace place{subgraph, static_cast<std::size_t>(tensor)};
    if (tensor < 0 || place.number >= graph.tensors.size())
      return tl::unexpected(work_->no_such("tensor", place.number, graph.tensors.size()));
    if (!now->buffer(graph.tensors[place.number].buffer).empty())
      return fail(ErrorKind::unsupported, fmt::format("{}: the tensor {} is a constant, which cannot be fed",
                                                      work_->where, printable(graph.tensors[place.number].name)));
    const auto made = give_elsewhere(place, graph);
    if (!made) return tl::unexpected(made.error());
    own.push_back(*made);
    if (is_among(graph.inputs, tensor)) continue;
    graph.inputs.push_back(tensor);
    fed.push_back(tensor);
    if (is_named) continue;
    if (auto done = work_->rename(place, fed_name(tensor)); !done) return tl::unexpected(done.error());
  }
  if (auto done = set_graph_inputs(subgraph, graph.inputs); !done) return tl::unexpected(done.error());
  for (std::size_t at = 0; at < now->graph().signatures.size(); ++at) {
    if (now->graph().signatures[at].subgraph != subgraph) continue;
    auto named = now->graph().signatures[at].inputs;
    for (const auto tensor : fed) named.emplace_back(fed_name(tensor), static_cast<std::uint32_t>(tensor));
    if (auto done = set_signature_inputs(at, named); !done) return tl::unexpected(done.error());
  }
  return own;
}

}  // namespace culprit
