#include "baseline/refused_node.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>

#include "base/folder.h"
#include "base/text.h"
#include "compare/compared_graphs.h"
#include "compare/editable_model.h"
#include "compare/first_divergence.h"
#include "compare/labelled_tensors.h"
#include "executor/run_all.h"
#include "executor/run_and_wait.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr int most_nodes_searched = 4096;
constexpr std::uint64_t most_model_bytes = std::uint64_t{256} << 20;

class RefusalSearch {
 public:
  RefusalSearch(Dispatcher& dispatcher, const EditableModel& model, const RunJob& as)
      : dispatcher_(dispatcher), model_(model), graph_(model.proto.graph()), as_(as) {}

  Result<std::optional<RefusedNode>> find() {
    int loads = 0, refused = graph_.node_size();
    const auto all = does_load(refused);
    if (!all) return tl::unexpected(all.error());
    if (*all) return std::nullopt;
    while (refused - loads > 1) {
      const int middle = loads + (refused - loads) / 2;
      const auto ok = does_load(middle);
      if (!ok) return tl::unexpected(ok.error());
      (*ok ? loads : refused) = middle;
    }
    const auto& node = graph_.node(refused - 1);
    if (lacks_input(node, refused - 1)) return std::nullopt;
    RefusedNode found{node_ref(node, refused - 1), {}};
    auto types = types_before(node, refused - 1);
    if (!types) return tl::unexpected(types.error());
    found.types = std::move(*types);
    return found;
  }

 private:
  /// The first `count` nodes, with these outputs.
  [[nodiscard]] onnx::ModelProto beginning(int count, const std::vector<std::string>& outputs) const {
    onnx::ModelProto part = model_.proto;
    auto* nodes = part.mutable_graph()->mutable_node();
    nodes->DeleteSubrange(count, nodes->size() - count);
    part.mutable_graph()->clear_output();
    for (const std::string& output : outputs) part.mutable_graph()->add_output()->set_name(output);
    return part;
  }

  Result<RunOutcome> run(const onnx::ModelProto& part, bool loads_only) {
    RunJob job = as_;
    auto file = model_.save(part, "beginning.onnx");
    if (!file) return tl::unexpected(file.error());
    job.model = *file;
    job.samples.resize(loads_only ? 0 : 1);
    job.folder = loads_only ? fs::path() : model_.folder / "run";
    if (!loads_only)
      if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
    return run_and_wait(dispatcher_, std::move(job));
  }

  Result<bool> does_load(int count) {
    std::vector<std::string> outputs;
    for (const auto& output : graph_.node(count - 1).output())
      if (!output.empty()) outputs.push_back(output);
    const auto outcome = run(beginning(count, outputs), true);
    if (!outcome) return tl::unexpected(outcome.error());
    return !outcome->failure.failed();
  }

  /// Nodes that are not sorted: then it is not this node that is refused.
  [[nodiscard]] bool lacks_input(const onnx::NodeProto& node, int place) const {
    std::set<std::string_view> later;
    for (int i = place; i < graph_.node_size(); ++i)
      later.insert(graph_.node(i).output().begin(), graph_.node(i).output().end());
    later.erase("");
    return std::ranges::any_of(used_values(node), [&](std::string_view value) { return later.contains(value); });
  }

  /// The types that are stored or declared, and those that a run of the nodes before it gives.
  Result<std::vector<DType>> types_before(const onnx::NodeProto& node, int place) {
    std::vector<std::string> made;
    std::vector<DType> types;
    for (const auto& input : node.input()) {
      if (const auto known = known_type(input))
        add(types, *known);
      else if (!input.empty() && std::ranges::find(made, input) == made.end())
        made.push_back(input);
    }
    if (made.empty() || as_.samples.empty()) return types;
    const auto outcome = run(beginning(place, made), false);
    if (!outcome) return tl::unexpected(outcome.error());
    if (!ran(*outcome, 1)) return types;
    const auto pack = Pack::read(outcome->outputs.front());
    if (!pack) return tl::unexpected(pack.error());
    for (const std::string& value : made)
      if (const Tensor* tensor = pack->find(value)) add(types, tensor->dtype());
    return types;
  }

  static void add(std::vector<DType>& types, DType type) {
    if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  }

  [[nodiscard]] std::optional<DType> known_type(const std::string& value) const {
    for (const auto& tensor : graph_.initializer())
      if (tensor.name() == value) return dtype_from_onnx(tensor.data_type());
    for (const auto& input : graph_.input())
      if (input.name() == value) return dtype_from_onnx(input.type().tensor_type().elem_type());
    return std::nullopt;
  }

  Dispatcher& dispatcher_;
  const EditableModel& model_;
  const onnx::GraphProto& graph_;
  const RunJob& as_;
};

}  // namespace

Result<std::optional<RefusedNode>> find_refused_node(Dispatcher& dispatcher, const Model& model, const RunJob& as,
                                                     const fs::path& folder) {
  if (model.proto == nullptr || model.facts.bytes > most_model_bytes) return std::nullopt;
  const int nodes = model.proto->graph().node_size();
  if (nodes == 0 || nodes > most_nodes_searched) return std::nullopt;
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  const auto editable = make_editable_model(model, folder);
  if (!editable) return std::nullopt;
  auto found = RefusalSearch(dispatcher, *editable, as).find();
  remove_folder(folder);
  return found;
}

std::string text_of(const RefusedNode& refused) {
  std::vector<std::string> types;
  for (const DType type : refused.types) types.emplace_back(name_of(type));
  return "node " + printable(text_of(std::vector{refused.node}), 200) +
         (types.empty() ? "" : " (" + join(types, ", ") + ")");
}

}  // namespace culprit
