#include "reduce/cut_out.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "model/graph_walk.h"
#include "model/values_of_node.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using NameSet = std::unordered_set<std::string>;

/// Does every sample hold this value?
bool is_captured(const Captured& values, std::size_t samples, const std::string& name) {
  return values.size() == samples && samples > 0 &&
         std::ranges::all_of(values, [&](const auto& sample) { return sample.contains(name); });
}

/// Sizes that differ between samples are left open.
onnx::TypeProto type_over(const Captured& values, const std::string& name) {
  onnx::TypeProto type = type_of(values.front().at(name));
  auto* shape = type.mutable_tensor_type()->mutable_shape();
  for (const auto& sample : values) {
    const Shape& other = sample.at(name).shape();
    for (int axis = 0; axis < shape->dim_size(); ++axis) {
      const bool same = axis < static_cast<int>(other.size()) &&
                        other[static_cast<std::size_t>(axis)] == shape->dim(axis).dim_value();
      if (!same) shape->mutable_dim(axis)->clear_value();
    }
  }
  return type;
}

/// Builds the part. Everything of the frame (opsets, functions, IR version) stays.
class Cutter {
 public:
  Cutter(const View& view, std::vector<bool> kept, StandIn stand_in)
      : view_(view), graph_(view.model.graph()), kept_(std::move(kept)), stand_in_(stand_in) {}

  std::optional<Case> run() {
    read();
    keep_constants();
    if (std::ranges::find(kept_, true) == kept_.end()) return std::nullopt;
    made_ = std::make_shared<onnx::ModelProto>();
    copy_frame();
    samples_ = std::vector<Inputs>(view_.samples.size());
    find_crossing();
    if (!add_inputs() || !add_outputs()) return std::nullopt;
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (kept_[static_cast<std::size_t>(i)]) *out().add_node() = graph_.node(i);
    }
    add_initializers();
    add_value_info();
    if (stand_in_ == StandIn::initializer) sweep(*made_, samples_);  // what only the folded nodes used
    return Case{made_, std::move(samples_)};
  }

 private:
  onnx::GraphProto& out() { return *made_->mutable_graph(); }

  void read() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const auto& output : graph_.node(i).output()) maker_[output] = i;
    }
    for (const auto& input : graph_.input()) inputs_.insert(input.name());
    for (const auto& tensor : graph_.initializer()) initializers_.insert(tensor.name());
    for (const auto& tensor : graph_.sparse_initializer()) initializers_.insert(tensor.values().name());
  }

  /// Constants are kept where anything that is kept uses them, and only there.
  void keep_constants() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (is_constant(graph_.node(i)) && stand_in_ == StandIn::input) kept_[static_cast<std::size_t>(i)] = false;
    }
    if (stand_in_ != StandIn::input) return;
    for (int i = graph_.node_size() - 1; i >= 0; --i) {
      if (!kept_[static_cast<std::size_t>(i)]) continue;
      for (const std::string& name : used_by(graph_.node(i))) {
        const auto maker = maker_.find(name);
        if (maker != maker_.end() && is_constant(graph_.node(maker->second)))
          kept_[static_cast<std::size_t>(maker->second)] = true;
      }
    }
  }

  void copy_frame() {
    made_->set_ir_version(view_.model.ir_version());
    *made_->mutable_opset_import() = view_.model.opset_import();
    *made_->mutable_functions() = view_.model.functions();
    *made_->mutable_metadata_props() = view_.model.metadata_props();
    made_->set_producer_name(view_.model.producer_name());
    made_->set_producer_version(view_.model.producer_version());
    made_->set_domain(view_.model.domain());
    made_->set_model_version(view_.model.model_version());
    made_->set_doc_string(view_.model.doc_string());
    out().set_name(graph_.name());
    out().set_doc_string(graph_.doc_string());
  }

  void find_crossing() {
    for (int i = 0; i < graph_.node_size(); ++i) {
      const bool kept = kept_[static_cast<std::size_t>(i)];
      for (const std::string& name : used_by(graph_.node(i))) {
        const auto maker = maker_.find(name);
        const bool is_inside = maker != maker_.end() && kept_[static_cast<std::size_t>(maker->second)];
        if (kept) {
          used_.insert(name);
          if (maker != maker_.end() && !is_inside && seen_in_.insert(name).second) into_.push_back(name);
        } else if (stand_in_ == StandIn::input && is_inside && !is_constant(graph_.node(maker->second)) &&
                   seen_out_.insert(name).second) {
          out_of_.push_back(name);
        }
      }
    }
  }

  bool add_inputs() {
    for (const auto& input : graph_.input()) {
      if (!used_.contains(input.name())) continue;
      *out().add_input() = input;
      feed(input.name());
    }
    return std::ranges::all_of(into_, [&](const std::string& name) { return stand_in(name); });
  }

  /// All parts of what the samples hold for an input.
  void feed(const std::string& name) {
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      for (const NamedTensor& tensor : view_.samples[s]) {
        if (tensor.name == name) samples_[s].push_back(tensor);
      }
    }
  }

  bool stand_in(const std::string& name) {
    if (!is_captured(view_.values, samples_.size(), name)) return false;
    if (stand_in_ == StandIn::initializer) {
      if (samples_.size() != 1) return false;
      *out().add_initializer() = to_proto(view_.values.front().at(name), name);
      return true;
    }
    auto* input = out().add_input();
    input->set_name(name);
    *input->mutable_type() = type_over(view_.values, name);
    for (std::size_t s = 0; s < samples_.size(); ++s) samples_[s].push_back({name, view_.values[s].at(name)});
    return true;
  }

  bool add_outputs() {
    NameSet taken;
    for (const auto& output : graph_.output()) {
      const auto maker = maker_.find(output.name());
      if (maker == maker_.end() || !kept_[static_cast<std::size_t>(maker->second)]) continue;
      *out().add_output() = output;
      taken.insert(output.name());
    }
    for (const std::string& name : out_of_) {
      if (!taken.contains(name) && !add_output(name)) return false;
    }
    if (out().output_size() > 0 || stand_in_ == StandIn::initializer) return out().output_size() > 0;
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (!kept_[static_cast<std::size_t>(i)]) continue;
      for (const auto& name : graph_.node(i).output()) {
        if (!name.empty() && !used_.contains(name) && !add_output(name)) return false;
      }
    }
    return out().output_size() > 0;
  }

  bool add_output(const std::string& name) {
    auto* output = out().add_output();
    if (is_captured(view_.values, view_.samples.size(), name)) {
      output->set_name(name);
      *output->mutable_type() = type_over(view_.values, name);
      return true;
    }
    const auto declared = std::ranges::find(graph_.value_info(), name, &onnx::ValueInfoProto::name);
    if (declared == graph_.value_info().end()) return false;
    *output = *declared;
    return true;
  }

  void add_initializers() {
    for (const auto& tensor : graph_.initializer()) {
      if (used_.contains(tensor.name())) *out().add_initializer() = tensor;
    }
    for (const auto& tensor : graph_.sparse_initializer()) {
      if (used_.contains(tensor.values().name())) *out().add_sparse_initializer() = tensor;
    }
  }

  /// Adds the value_info of values that are made and are no outputs.
  void add_value_info() {
    NameSet outputs;
    for (const auto& output : out().output()) outputs.insert(output.name());
    for (const auto& info : graph_.value_info()) {
      const auto maker = maker_.find(info.name());
      if (maker == maker_.end() || !kept_[static_cast<std::size_t>(maker->second)] || outputs.contains(info.name()))
        continue;
      *out().add_value_info() = info;
    }
  }

  const View& view_;
  const onnx::GraphProto& graph_;
  std::vector<bool> kept_;
  StandIn stand_in_;
  std::unordered_map<std::string, int> maker_;
  NameSet inputs_, initializers_, used_, seen_in_, seen_out_;
  std::vector<std::string> into_, out_of_;
  std::shared_ptr<onnx::ModelProto> made_;
  std::vector<Inputs> samples_;
};

template <class Repeated, class Keep>
void keep_if(Repeated& all, const Keep& keep) {
  Repeated kept;
  for (auto& one : all) {
    if (keep(one)) kept.Add()->Swap(&one);
  }
  all.Swap(&kept);
}

}  // namespace

std::vector<std::string> used_by(const onnx::NodeProto& node) {
  const std::vector<std::string_view> used = used_values(node);
  const auto inner = used.begin() + node.input_size();
  std::vector<std::string> names(used.begin(), inner);
  std::erase(names, "");
  const auto own = static_cast<std::ptrdiff_t>(names.size());
  names.insert(names.end(), inner, used.end());
  std::sort(names.begin() + own, names.end());
  return names;
}

bool is_constant(const onnx::NodeProto& node) { return node.op_type() == "Constant" && node.input_size() == 0; }

onnx::TypeProto type_of(const Tensor& tensor) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(static_cast<int>(tensor.dtype()));
  auto* shape = type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : tensor.shape()) shape->add_dim()->set_dim_value(size);
  return type;
}

std::optional<Case> cut(const View& view, const std::vector<bool>& kept, StandIn stand_in) {
  return Cutter(view, kept, stand_in).run();
}

void sweep(onnx::ModelProto& model, std::vector<Inputs>& samples) {
  auto& graph = *model.mutable_graph();
  NameSet used, kept_names;
  for (const auto& output : graph.output()) used.insert(output.name());
  std::vector<bool> kept(static_cast<std::size_t>(graph.node_size()), false);
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const auto& node = graph.node(i);
    if (std::ranges::none_of(node.output(), [&](const std::string& name) { return used.contains(name); })) continue;
    kept[static_cast<std::size_t>(i)] = true;
    for (const std::string& name : used_by(node)) used.insert(name);
    kept_names.insert(node.output().begin(), node.output().end());
  }
  std::size_t number = 0;
  keep_if(*graph.mutable_node(), [&](const auto&) { return kept[number++]; });
  keep_if(*graph.mutable_input(), [&](const auto& input) { return used.contains(input.name()); });
  keep_if(*graph.mutable_initializer(), [&](const auto& tensor) { return used.contains(tensor.name()); });
  keep_if(*graph.mutable_sparse_initializer(),
          [&](const auto& tensor) { return used.contains(tensor.values().name()); });
  keep_if(*graph.mutable_value_info(), [&](const auto& info) { return kept_names.contains(info.name()); });
  for (Inputs& sample : samples) std::erase_if(sample, [&](const auto& input) { return !used.contains(input.name); });
}

std::vector<std::string> inner_edges(const onnx::GraphProto& graph) {
  std::vector<std::string> edges;
  for (const auto& node : graph.node()) {
    if (is_constant(node)) continue;
    for (const auto& output : node.output()) {
      if (!output.empty()) edges.push_back(output);
    }
  }
  return edges;
}

}  // namespace culprit
