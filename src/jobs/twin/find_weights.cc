#include "twin/find_weights.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "model/external_data.h"
#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"
#include "twin/weight_uses.h"

namespace culprit {
namespace {

constexpr double largest_shift = 1000;  // beyond it, what is added is a mask

bool is_weight_type(std::int32_t type) {
  const auto known = dtype_from_onnx(type);
  return known == DType::f32 || known == DType::f64 || known == DType::f16 || known == DType::bf16;
}

/// A floating-point constant, and what is done with it.
struct WeightCandidate {
  Weight weight;
  bool is_mask = false;  ///< as a shift
  bool is_left = false;  ///< something takes it that takes no weights
  std::vector<WeightUse> uses;
};

/// A constant as some operator sees it: itself, or behind operators that only move elements.
struct Constant {
  WeightCandidate* candidate = nullptr;       ///< null for what is no floating-point number
  const onnx::TensorProto* tensor = nullptr;  ///< where it is one as it stands
  Shape shape;
};

struct Content {
  bool is_constant = true;
  bool is_mask = false;
};

Content look_at(const Tensor& tensor) {
  Content content;
  const double first = tensor.count() > 0 ? tensor.number(0) : 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double value = tensor.number(i);
    content.is_constant = content.is_constant && value == first;
    content.is_mask = content.is_mask || !(std::abs(value) <= largest_shift);
    if (!content.is_constant && content.is_mask) break;
  }
  return content;
}

const onnx::TensorProto* value_of(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "value" && attribute.has_t()) return &attribute.t();
  }
  return nullptr;
}

/// Shape, Size: they do not look at the elements.
bool looks_at_shape_only(const onnx::NodeProto& node) { return node.op_type() == "Shape" || node.op_type() == "Size"; }

class Finder {
 public:
  WeightMap find(const onnx::ModelProto& model) {
    visit(model.graph());
    WeightMap map;
    for (WeightCandidate& candidate : candidates_) {
      if (settle(candidate)) {
        chosen_.insert(&candidate);
        map.weights.push_back(candidate.weight);
      } else {
        ++map.left_alone;
      }
    }
    map.layers = layers_of(model.graph());
    return map;
  }

 private:
  using Scope = std::map<std::string, Constant>;

  void visit(const onnx::GraphProto& graph) {
    const std::size_t number = graphs_++;
    scopes_.emplace_back();
    for (const auto& tensor : graph.initializer()) add_tensor(tensor, tensor.name(), number, /*is_computed=*/false);
    for (const auto& node : graph.node()) {
      if (!add_made(node, number)) use(node);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) visit(attribute.g());
        for (const auto& inner : attribute.graphs()) visit(inner);
      }
    }
    for (const auto& output : graph.output()) leave(output.name());
    if (number == 0) {
      top_ = std::move(scopes_.back());
    }
    scopes_.pop_back();
  }

  void leave(const std::string& name) {
    if (const Constant* constant = find(name); constant != nullptr && constant->candidate != nullptr) {
      constant->candidate->is_left = true;
    }
  }

  void add_tensor(const onnx::TensorProto& tensor, const std::string& name, std::size_t graph, bool is_computed) {
    Constant constant{nullptr, &tensor, Shape(tensor.dims().begin(), tensor.dims().end())};
    const auto count = element_count(constant.shape);
    const bool may_be = is_weight_type(tensor.data_type()) && !is_external(tensor) && count && *count > 1;
    if (const auto read = may_be ? from_proto(tensor) : Result<Tensor>(); may_be && read) {
      const Content content = look_at(*read);
      constant.candidate = &candidates_.emplace_back();
      constant.candidate->weight = {graph,         name, Role::kernel,        read->dtype(),
                                    read->shape(), 1,    content.is_constant, is_computed};
      constant.candidate->is_mask = content.is_mask;
    }
    scopes_.back()[name] = std::move(constant);
  }

  /// Constants that nodes make.
  bool add_made(const onnx::NodeProto& node, std::size_t graph) {
    if (!domain_of(node.domain()).empty() || node.output_size() != 1) return false;
    const onnx::TensorProto* value = value_of(node);
    if (node.op_type() == "Constant") {
      scopes_.back()[node.output(0)] = {};  // what is no tensor: a list of numbers or strings
      if (value != nullptr) add_tensor(*value, node.output(0), graph, /*is_computed=*/true);
      return true;
    }
    if (node.op_type() != "ConstantOfShape" || node.input_size() != 1) return false;
    const auto shape = shape_in(node.input(0));
    if (!shape) return false;
    Constant constant{nullptr, nullptr, *shape};
    const auto count = element_count(*shape);
    const std::int32_t type = value == nullptr ? onnx::TensorProto::FLOAT : value->data_type();
    if (is_weight_type(type) && count && *count > 1) {
      constant.candidate = &candidates_.emplace_back();
      constant.candidate->weight = {graph, node.output(0), Role::kernel, dtype_from_onnx(type).value(), *shape,
                                    1,     true,           true};
    }
    scopes_.back()[node.output(0)] = std::move(constant);
    return true;
  }

  [[nodiscard]] std::optional<Shape> shape_in(const std::string& name) const {
    const Constant* constant = find(name);
    if (constant == nullptr || constant->tensor == nullptr || is_external(*constant->tensor)) return std::nullopt;
    const auto read = from_proto(*constant->tensor);
    if (!read || read->dtype() != DType::i64) return std::nullopt;
    return Shape(read->as<std::int64_t>().begin(), read->as<std::int64_t>().end());
  }

  void use(const onnx::NodeProto& node) {
    if (looks_at_shape_only(node)) return;
    const Constant* first = node.input_size() > 0 ? find(node.input(0)) : nullptr;
    if (only_moves(node) && first != nullptr && node.output_size() > 0) {
      Constant moved{first->candidate, nullptr, moved_shape(node, first->shape)};
      scopes_.back()[node.output(0)] = std::move(moved);
      return;
    }
    const bool among_constants =
        std::ranges::all_of(node.input(), [this](const auto& name) { return name.empty() || find(name) != nullptr; });
    for (int i = 0; i < node.input_size(); ++i) {
      const Constant* constant = find(node.input(i));
      if (constant == nullptr || constant->candidate == nullptr) continue;
      const auto how = among_constants ? std::nullopt : weight_use(node, i, constant->shape);
      if (how) {
        constant->candidate->uses.push_back(*how);
      } else {
        constant->candidate->is_left = true;
      }
    }
  }

  /// Decides what a candidate is; false where it is no weight. Tied weights are kernels above all, then tables.
  static bool settle(WeightCandidate& candidate) {
    if (candidate.is_left || candidate.uses.empty()) return false;
    const auto chosen = std::ranges::min_element(candidate.uses, [](const WeightUse& one, const WeightUse& other) {
      const auto rank = [](Role role) { return role == Role::kernel ? 0 : role == Role::table ? 1 : 2; };
      return rank(one.role) < rank(other.role);
    });
    candidate.weight.role = chosen->role;
    candidate.weight.fan_in = std::max<std::int64_t>(chosen->fan_in, 1);
    return chosen->role != Role::shift || !candidate.is_mask;
  }

  // Innermost first.
  [[nodiscard]] const Constant* find(const std::string& name) const {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
      if (const auto at = scopes_[i].find(name); at != scopes_[i].end()) return &at->second;
    }
    return nullptr;
  }

  /// The weight of the top graph that a node takes here, in this role.
  [[nodiscard]] const WeightCandidate* weight_at(const onnx::NodeProto& node, int position, Role role) const {
    if (position < 0 || position >= node.input_size()) return nullptr;
    const auto at = top_.find(node.input(position));
    const WeightCandidate* candidate = at == top_.end() ? nullptr : at->second.candidate;
    const bool fits = candidate != nullptr && chosen_.contains(candidate) && candidate->weight.role == role;
    return fits ? candidate : nullptr;
  }

  [[nodiscard]] std::optional<Layer> layer_of(const onnx::NodeProto& node) const {
    if (!domain_of(node.domain()).empty() || node.output_size() == 0) return std::nullopt;
    Layer layer;
    layer.output = node.output(0);
    for (int i = 0; i < node.input_size(); ++i) {
      const WeightCandidate* kernel = scales_with(node, i) ? weight_at(node, i, Role::kernel) : nullptr;
      if (kernel != nullptr) layer.kernel = kernel->weight.name;
    }
    if (const WeightCandidate* bias = weight_at(node, bias_position(node), Role::shift); bias != nullptr) {
      if (bias->uses.size() == 1) layer.bias = bias->weight.name;
    }
    if (!layer.kernel.empty()) return layer;
    if (node.op_type() != "BatchNormalization") return std::nullopt;
    const WeightCandidate* mean = weight_at(node, 3, Role::mean);
    const WeightCandidate* variance = weight_at(node, 4, Role::variance);
    if (mean == nullptr || variance == nullptr) return std::nullopt;
    layer.mean = mean->weight.name;
    layer.variance = variance->weight.name;
    return layer;
  }

  [[nodiscard]] std::vector<Layer> layers_of(const onnx::GraphProto& graph) const {
    std::vector<Layer> layers;
    std::set<std::string> seen;
    for (const auto& node : graph.node()) {
      auto layer = layer_of(node);
      if (!layer) continue;
      layer->is_first = seen.insert(layer->normalizes() ? layer->variance : layer->kernel).second;
      layers.push_back(std::move(*layer));
    }
    return layers;
  }

  std::deque<WeightCandidate> candidates_;  // pointers to them stay
  std::vector<Scope> scopes_;
  Scope top_;
  std::set<const WeightCandidate*> chosen_;
  std::size_t graphs_ = 0;
};

}  // namespace

WeightMap find_weights(const onnx::ModelProto& model) { return Finder().find(model); }

bool has_constant_weights(const WeightMap& map) {
  double constant = 0;
  double all = 0;
  for (const Weight& weight : map.weights) {
    if (weight.role != Role::kernel && weight.role != Role::table) continue;
    const auto count = static_cast<double>(element_count(weight.shape).value_or(0));
    all += count;
    if (weight.is_constant) constant += count;
  }
  return all > 0 && constant >= all / 2;
}

}  // namespace culprit
