#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>

#include "base/as_index.h"
#include "base/folder.h"
#include "base/text.h"
#include "conversion/sides/fed_samples.h"
#include "conversion/sides/onnx_edits.h"
#include "conversion/sides/onnx_names.h"
#include "conversion/sides/onnx_whole.h"
#include "conversion/sides/side.h"
#include "conversion/sides/ways.h"
#include "model/extract_part.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* left_out_mark = "left out";

/// The type that all samples agree on; sizes that differ are left open.
Result<FedValue> declared_feed(const std::string& name, const SideFeed& feed) {
  const auto bad = [&](const std::string& why) {
    return fail(ErrorKind::unsupported, fmt::format("'{}' cannot be fed: {}", printable(name), why));
  };
  if (feed.by_sample.empty()) return bad("there is no sample of it");
  const Tensor& first = feed.by_sample.front();
  FedValue value{name, first.dtype(), {}};
  for (const auto size : first.shape()) value.dims.push_back({size, ""});
  for (const Tensor& tensor : feed.by_sample) {
    if (tensor.dtype() != first.dtype() || tensor.shape().size() != first.shape().size())
      return bad("its samples are of different types or ranks");
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis)
      if (tensor.shape()[axis] != first.shape()[axis]) value.dims[axis].value.reset();
  }
  return value;
}

/// What the model declares of values is not so any more where it is changed or fed.
void forget_declared_types(onnx::GraphProto& graph) {
  graph.clear_value_info();
  for (auto& output : *graph.mutable_output()) output.clear_type();
}

/// An output that no node makes, a stored tensor or an input, is copied by one, so that runs show it.
std::string made_by_node(const std::string& output, onnx::GraphProto& graph) {
  const bool is_there = has_name(graph.initializer(), output) || has_name(graph.input(), output);
  if (!is_there || is_made_by_node(graph, output)) return output;
  onnx::NodeProto& copy = *graph.add_node();
  copy.set_op_type("Identity");
  copy.add_input(output);
  copy.add_output(output + "@shown");
  return copy.output(0);
}

class OnnxSide : public Side {
 public:
  OnnxSide(EditableModel model, Network network, SideOptions options)
      : model_(std::move(model)),
        network_(std::move(network)),
        options_(std::move(options)),
        constant_(follows_from_constants(network_)) {
    const auto natures = natures_of(model_.proto);
    natures_.assign(network_.values.size(), Nature::smooth);
    for (std::size_t value = 0; value < natures_.size(); ++value)
      if (const auto known = natures.find(network_.values[value].name); known != natures.end())
        natures_[value] = known->second;
  }

  [[nodiscard]] const Network& network() const override { return network_; }
  [[nodiscard]] bool can_be_drawn() const override { return true; }
  [[nodiscard]] Nature nature_of(int value) const override { return natures_[as_index(value)]; }

  Result<PreparedRun> prepare(const SideView& view, const std::vector<fs::path>& samples,
                              const fs::path& folder) const override {
    onnx::ModelProto made = model_.proto;
    OnnxEdits edits(made, network_);
    if (auto ok = edits.make(view.edits); !ok) return tl::unexpected(ok.error());
    PreparedRun run;
    std::vector<FedValue> fed;
    for (const SideFeed& feed : view.feeds) {
      auto value = declared_feed(network_.values[as_index(feed.value)].name, feed);
      if (!value) return tl::unexpected(value.error());
      run.fed.push_back(value->name);
      fed.push_back(std::move(*value));
    }
    if (!view.edits.empty() || !view.feeds.empty()) forget_declared_types(*made.mutable_graph());
    const auto inputs = cut(made, view, fed, edits, run);
    if (!inputs) return tl::unexpected(inputs.error());
    const auto file = model_.save(made, fmt::format("view-{}.onnx", number_++));
    if (!file) return tl::unexpected(file.error());
    run.job.model = *file;
    run.job.session = options_.session;
    run.job.limits = options_.limits;
    if (auto ok = give_samples(fed_of(view, *inputs), samples, folder, run.job); !ok) return tl::unexpected(ok.error());
    return run;
  }

  Result<fs::path> write_whole(const std::vector<Edit>& all, const std::vector<SeenOutput>& seen) const override {
    onnx::ModelProto made = model_.proto;
    OnnxEdits edits(made, network_);
    if (auto ok = edits.make(all); !ok) return tl::unexpected(ok.error());
    WholeChanges changes{{}, edits.replaced(), seen, false};
    for (std::size_t i = 0; i < network_.outputs.size(); ++i)
      changes.outputs.emplace_back(network_.values[as_index(network_.outputs[i])].name, edits.shown_at(i));
    changes.moves_shapes =
        std::ranges::any_of(all, [](const Edit& edit) { return !std::holds_alternative<SetConstant>(edit); });
    if (!all.empty()) finish_whole(made, model_.proto.graph(), changes);
    return model_.save(made, fmt::format("whole-{}.onnx", number_++));
  }

 private:
  /// Leaves in the model what computes the values that are wanted. Gives the names of what must be fed.
  Result<std::vector<std::string>> cut(onnx::ModelProto& made, const SideView& view, const std::vector<FedValue>& fed,
                                       const OnnxEdits& edits, PreparedRun& run) const {
    std::vector<std::string> wanted;
    if (!view.only_layers)
      for (std::size_t i = 0; i < network_.outputs.size(); ++i)
        wanted.push_back(made_by_node(edits.shown_at(i), *made.mutable_graph()));
    const std::size_t own = wanted.size();
    for (const int value : view.values) wanted.push_back(edits.shown(value));
    if (view.only_layers) mark_left_out(made, view);
    const Extract part = extract(made, fed, wanted);
    if (view.only_layers)
      if (auto ok = check_only(made); !ok) return tl::unexpected(ok.error());
    const std::set<std::string> unknown(part.unknown.begin(), part.unknown.end());
    std::size_t at = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const bool is_there = !unknown.contains(wanted[i]);
      if (!is_there && i >= own)
        return fail(ErrorKind::unsupported, fmt::format("no node makes '{}'", printable(wanted[i])));
      (i < own ? run.outputs : run.names).push_back(is_there ? part.outputs[at++] : "");
    }
    if (view.only_layers) run.outputs.assign(network_.outputs.size(), "");
    return part.inputs;
  }

  /// Marks the nodes that the view leaves out.
  void mark_left_out(onnx::ModelProto& made, const SideView& view) const {
    const std::set<int> kept(view.only_layers->begin(), view.only_layers->end());
    for (auto& node : *made.mutable_graph()->mutable_node()) node.clear_doc_string();
    std::set<std::string> left_out;
    for (std::size_t layer = 0; layer < network_.layers.size(); ++layer)
      for (const int output : network_.layers[layer].outputs)
        if (output >= 0 && !constant_[as_index(output)] && !kept.contains(static_cast<int>(layer)))
          left_out.insert(network_.values[as_index(output)].name);
    for (auto& node : *made.mutable_graph()->mutable_node())
      if (std::ranges::any_of(node.output(), [&](const std::string& name) { return left_out.contains(name); }))
        node.set_doc_string(left_out_mark);
  }

  /// Is there none of these among the nodes that are needed?
  static Result<void> check_only(const onnx::ModelProto& made) {
    const auto& nodes = made.graph().node();
    const auto is_left_out = [](const onnx::NodeProto& node) { return node.doc_string() == left_out_mark; };
    const auto last = std::find_if(nodes.rbegin(), nodes.rend(), is_left_out);
    if (last == nodes.rend()) return {};
    return fail(ErrorKind::unsupported,
                fmt::format("'{}' is needed, which is neither fed nor made by the layers that are left",
                            printable(last->output(0))));
  }

  [[nodiscard]] FedSamples fed_of(const SideView& view, const std::vector<std::string>& inputs) const {
    FedSamples fed{{}, std::set<std::string>(inputs.begin(), inputs.end())};
    for (const SideFeed& feed : view.feeds) fed.feeds[network_.values[as_index(feed.value)].name] = &feed;
    return fed;
  }

  EditableModel model_;
  Network network_;
  SideOptions options_;
  std::vector<bool> constant_;
  std::vector<Nature> natures_;
  mutable std::atomic<int> number_ = 0;  // of files: none is written twice
};

}  // namespace

std::unique_ptr<Side> open_onnx_side(EditableModel model, Network network, SideOptions options) {
  return std::make_unique<OnnxSide>(std::move(model), std::move(network), std::move(options));
}

}  // namespace culprit
