#include "network/onnx/read_onnx_network.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "network/operator_rule.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

std::optional<Hyper> hyper_of(const onnx::AttributeProto& attribute) {
  switch (attribute.type()) {
    case onnx::AttributeProto::INT:
      return attribute.i();
    case onnx::AttributeProto::FLOAT:
      return static_cast<double>(attribute.f());
    case onnx::AttributeProto::STRING:
      return attribute.s();
    case onnx::AttributeProto::INTS:
      return std::vector<std::int64_t>(attribute.ints().begin(), attribute.ints().end());
    case onnx::AttributeProto::FLOATS:
      return std::vector<double>(attribute.floats().begin(), attribute.floats().end());
    default:  // graphs, tensors, lists of texts
      return std::nullopt;
  }
}

class OnnxNetworkReader {
 public:
  explicit OnnxNetworkReader(const onnx::ModelProto& model) : graph_(model.graph()) {
    for (const auto& opset : model.opset_import())
      versions_[opset.domain() == "ai.onnx" ? "" : opset.domain()] = static_cast<int>(opset.version());
    network_.format = "onnx";
  }

  Result<Network> read() {
    if (auto ok = constants(); !ok) return tl::unexpected(ok.error());
    for (const auto& input : graph_.input())
      if (!ids_.contains(input.name())) network_.inputs.push_back(made(input.name(), -1));
    for (int i = 0; i < graph_.node_size(); ++i)
      if (auto ok = node(graph_.node(i), i); !ok) return tl::unexpected(ok.error());
    for (const auto& output : graph_.output()) {
      const auto id = ids_.find(output.name());
      if (id == ids_.end()) return fail(ErrorKind::bad_input, "nothing makes the output " + printable(output.name()));
      network_.outputs.push_back(id->second);
    }
    for (const auto* list : {&graph_.input(), &graph_.output(), &graph_.value_info()})
      for (const auto& declared : *list) declare(declared);
    return std::move(network_);
  }

 private:
  int made(const std::string& name, int by) {
    const int id = static_cast<int>(network_.values.size());
    NetworkValue& value = network_.values.emplace_back();
    value.name = name;
    value.made_by = by;
    ids_[name] = id;
    return id;
  }

  Result<void> constant(const onnx::TensorProto& proto, const std::string& name) {
    auto tensor = from_proto(proto);
    if (!tensor) return tl::unexpected(tensor.error());
    NetworkValue& value = network_.values[static_cast<std::size_t>(made(name, -1))];
    value.dtype = tensor->dtype();
    value.has_rank = true;
    value.dims = tensor->shape();
    value.constant = std::move(*tensor);
    return {};
  }

  Result<void> constants() {
    for (const auto& tensor : graph_.initializer())
      if (auto ok = constant(tensor, tensor.name()); !ok) return ok;
    return {};
  }

  void declare(const onnx::ValueInfoProto& declared) {
    const auto id = ids_.find(declared.name());
    if (id == ids_.end() || !declared.type().has_tensor_type()) return;
    NetworkValue& value = network_.values[static_cast<std::size_t>(id->second)];
    const auto& type = declared.type().tensor_type();
    if (value.constant) return;
    value.dtype = static_cast<DType>(type.elem_type());
    value.has_rank = type.has_shape();
    value.dims.clear();
    for (const auto& dim : type.shape().dim()) value.dims.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
  }

  Result<void> node(const onnx::NodeProto& node, int number) {
    if (const onnx::TensorProto* tensor = constant_of(node)) return constant(*tensor, node.output(0));
    NetworkLayer layer;
    layer.type = layer.native_type =
        node.domain().empty() || node.domain() == "ai.onnx" ? node.op_type() : node.domain() + "." + node.op_type();
    layer.native = number;
    for (const std::string& input : node.input()) {
      const auto id = ids_.find(input);
      if (id == ids_.end() && !input.empty())
        return fail(ErrorKind::bad_input, fmt::format("node {} ({}): nothing makes its input {}", number,
                                                      printable(node.op_type()), printable(input)));
      layer.inputs.push_back(input.empty() ? -1 : id->second);
    }
    presets(node, layer);
    for (const auto& attribute : node.attribute())
      if (auto hyper = hyper_of(attribute)) layer.hyper[attribute.name()] = std::move(*hyper);
    take_inputs(node.op_type(), layer);
    for (const std::string& output : node.output())
      layer.outputs.push_back(output.empty() ? -1 : made(output, static_cast<int>(network_.layers.size())));
    layer.name = !node.name().empty() ? node.name() : node.output_size() > 0 ? node.output(0) : "";
    network_.layers.push_back(std::move(layer));
    return {};
  }

  static const onnx::TensorProto* constant_of(const onnx::NodeProto& node) {
    if (node.op_type() != "Constant" || node.output_size() != 1) return nullptr;
    for (const auto& attribute : node.attribute())
      if (attribute.name() == "value" && attribute.has_t()) return &attribute.t();
    return nullptr;
  }

  void presets(const onnx::NodeProto& node, NetworkLayer& layer) const {
    const std::string domain = node.domain() == "ai.onnx" ? "" : node.domain();
    const auto version = versions_.find(domain);
    if (version == versions_.end()) return;
    const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, domain);
    if (schema == nullptr) return;
    for (const auto& [name, attribute] : schema->attributes())
      if (attribute.default_value.has_name())
        if (auto hyper = hyper_of(attribute.default_value)) layer.hyper[name] = std::move(*hyper);
  }

  /// Which of its constants are parameters, and which hyper-parameters.
  void take_inputs(const std::string& type, NetworkLayer& layer) const {
    for (std::size_t at = 0; at < layer.inputs.size(); ++at) {
      if (layer.inputs[at] < 0) continue;
      const NetworkValue& value = network_.values[static_cast<std::size_t>(layer.inputs[at])];
      if (!value.constant || value.dtype == DType::string) continue;
      const InputRule* rule = input_rule(type, at);
      if (rule != nullptr && rule->is_hyper && value.constant->count() > 0)
        layer.hyper[std::string(rule->role)] = hyper_of_constant(*value.constant);
      else
        layer.parameters.push_back({layer.inputs[at], at, rule == nullptr ? "operand" : std::string(rule->role),
                                    rule == nullptr ? "" : axes_of(*rule, layer)});
    }
  }

  static std::string axes_of(const InputRule& rule, const NetworkLayer& layer) {
    const auto turned = layer.hyper.find("transB");
    const bool is_turned = turned != layer.hyper.end() && turned->second == Hyper(std::int64_t{1});
    return rule.axes == "IO" && is_turned ? "OI" : std::string(rule.axes);
  }

  const onnx::GraphProto& graph_;
  std::map<std::string, int> versions_;
  std::map<std::string, int, std::less<>> ids_;
  Network network_;
};

}  // namespace

Result<Network> read_onnx_network(const onnx::ModelProto& model) { return OnnxNetworkReader(model).read(); }

}  // namespace culprit
