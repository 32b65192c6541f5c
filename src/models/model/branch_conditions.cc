#include "model/branch_conditions.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/node_asks.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr int most_trail_steps = 200'000;  // of all trails; a graph may be hostile and go in circles
constexpr std::size_t most_known = 16;     // numbers or words of one input
constexpr int most_concat_parts = 64;      // of a Concat
constexpr int most_casts = 8;              // of a constant
constexpr double most_index = 1e6;         // of an element of a list

bool compares(std::string_view op) {
  return is_one_of(op, {"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual"});
}

bool hands_on(std::string_view op) {
  return is_one_of(op, {"Cast", "CastLike", "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose",
                        "Expand", "Tile", "Split", "Dropout", "Floor", "Ceil", "Round", "Relu", "Trunc"});
}

bool keeps_shape(std::string_view op) {
  return is_one_of(op, {"Cast", "CastLike", "Identity", "Dropout", "Relu", "Abs", "Neg", "Sqrt", "Exp", "Log", "Not",
                        "Sigmoid", "Tanh", "Softmax", "LayerNormalization"});
}

bool is_integer_input(const onnx::ValueInfoProto& input) {
  const auto type = dtype_from_onnx(input.type().tensor_type().elem_type());
  return type && is_integer(*type);
}

/// What a value is compared with.
struct Trail {
  std::string value;
  std::vector<double> numbers = {};
  std::vector<std::string> words = {};
  std::optional<std::int64_t> place = std::nullopt;  ///< of the element that is compared, of a list
  bool is_reduced = false;
  bool is_reckoned = false;
  bool is_for_integers = false;
  bool is_index = false;
};

template <class T>
void add_new(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& one : more) {
    if (all.size() < most_known && std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
}

class Comparisons {
 public:
  explicit Comparisons(const onnx::GraphProto& graph) {
    for_each_graph(graph, [&](const onnx::GraphProto& inner) {
      for (const auto& stored : inner.initializer()) stored_.emplace(stored.name(), &stored);
      for (const auto& node : inner.node()) {
        for (const std::string& output : node.output()) makers_.emplace(output, &node);
      }
    });
    for (const auto& input : graph.input()) {
      if (stored_.contains(input.name())) continue;
      inputs_.emplace(input.name(), declared_shape(input, true));
      if (is_integer_input(input)) integers_.insert(input.name());
    }
  }

  void look_at(const onnx::NodeProto& node) {
    if (compares(node.op_type()) && node.input_size() == 2) {
      for (const int side : {0, 1}) {
        if (auto trail = compared(node.input(1 - side))) follow(with_value(std::move(*trail), node.input(side)));
      }
    }
    if (node.domain() == "ai.onnx.ml" && node.input_size() > 0) {
      const Trail keys = keys_of(node);
      if (!keys.numbers.empty() || !keys.words.empty()) follow(with_value(keys, node.input(0)));
    }
    for (const Ask& ask : asks_for_not_finite(node)) follow(trail_of(ask, node));
  }

  void look_at_sides(const onnx::NodeProto& node) {
    for (const Ask& ask : asks_of(node, [this](const std::string& name) { return constant(name); })) {
      if (ask.axis)
        to_axis(node.input(ask.place), *ask.axis, ask.numbers);
      else
        follow(trail_of(ask, node));
    }
  }

  void look_at_length(const TellingLength& length) { follow({length.end, length.rows}); }

  Compared found;

 private:
  static Trail with_value(Trail trail, const std::string& value) {
    trail.value = value;
    return trail;
  }

  static Trail trail_of(const Ask& ask, const onnx::NodeProto& node) {
    Trail trail{node.input(ask.place), ask.numbers, ask.words};
    trail.is_for_integers = ask.is_for_integers;
    trail.is_index = ask.is_index;
    return trail;
  }

  // --- constants ---

  [[nodiscard]] std::optional<Tensor> constant(std::string name) const {
    for (int step = 0; step < most_casts; ++step) {
      const auto stored = stored_.find(name);
      const auto maker = makers_.find(name);
      if (stored == stored_.end() && maker == makers_.end()) return std::nullopt;
      if (stored == stored_.end() && maker->second->op_type() != "Constant") {
        if (!hands_on(maker->second->op_type()) || maker->second->input_size() == 0) return std::nullopt;
        name = maker->second->input(0);
        continue;
      }
      if (stored != stored_.end()) return read(*stored->second);
      const auto value = constant_of(*maker->second);
      if (value && value->tensor != nullptr) return read(*value->tensor);
      return value && value->number ? std::optional(Tensor::of<double>({}, {*value->number})) : std::nullopt;
    }
    return std::nullopt;
  }

  static std::optional<Tensor> read(const onnx::TensorProto& stored) {
    const auto count = element_count(Shape(stored.dims().begin(), stored.dims().end()));
    if (!count || *count > static_cast<std::int64_t>(most_known)) return std::nullopt;  // a table
    auto tensor = from_proto(stored);
    return tensor ? std::optional(std::move(*tensor)) : std::nullopt;
  }

  /// Nothing where it is no constant, or a table.
  [[nodiscard]] std::optional<Trail> compared(const std::string& name) const {
    const auto tensor = constant(name);
    if (!tensor || tensor->count() < 1) return std::nullopt;
    Trail trail;
    trail.words.assign(tensor->strings().begin(), tensor->strings().end());
    if (tensor->dtype() == DType::string) return trail;
    for (std::int64_t i = 0; i < tensor->count(); ++i) trail.numbers.push_back(tensor->number(i));
    return trail;
  }

  [[nodiscard]] std::optional<double> number(const std::string& name) const {
    const auto tensor = constant(name);
    if (!tensor || tensor->count() != 1 || tensor->dtype() == DType::string) return std::nullopt;
    return tensor->number(0);
  }

  static Trail keys_of(const onnx::NodeProto& node) {
    Trail keys;
    for (const auto& attribute : node.attribute()) {
      const std::string& name = attribute.name();
      const bool is_key = name.starts_with("keys_") || name.starts_with("cats_") || name == "classes_strings";
      if (!is_key) continue;
      add_new(keys.words, {attribute.strings().begin(), attribute.strings().end()});
      add_new(keys.numbers, {attribute.ints().begin(), attribute.ints().end()});
      add_new(keys.numbers, {attribute.floats().begin(), attribute.floats().end()});
    }
    return keys;
  }

  // --- backwards ---

  void follow(Trail first) {
    std::vector<Trail> open = {std::move(first)};
    while (!open.empty() && ++steps_ < most_trail_steps) {
      const Trail trail = std::move(open.back());
      open.pop_back();
      if (inputs_.contains(trail.value)) {
        keep(trail);
        continue;
      }
      const auto maker = makers_.find(trail.value);
      if (maker != makers_.end() && domain_of(maker->second->domain()).empty()) step_back(*maker->second, trail, open);
    }
  }

  void step_back(const onnx::NodeProto& node, Trail trail, std::vector<Trail>& open) {
    const std::string& op = node.op_type();
    if (node.input_size() == 0) return;
    if (op == "Shape" || op == "Size") return to_size(node, trail);
    if (is_one_of(op, {"Add", "Sub", "Mul", "Div", "Mod"})) return through_constant(node, std::move(trail), open);
    if (is_one_of(op, {"Where", "Concat", "Min", "Max"})) {
      const int end = std::min(node.input_size(), most_concat_parts);
      for (int i = op == "Where" ? 1 : 0; i < end; ++i) open.push_back(with_value(trail, node.input(i)));
      return;
    }
    if (op == "Gather" || op == "Slice") {
      const double at = (node.input_size() > 1 ? number(node.input(1)) : std::nullopt).value_or(most_index);
      const std::int64_t before = op == "Slice" ? trail.place.value_or(0) : 0;
      if (std::abs(at) < most_index) trail.place = static_cast<std::int64_t>(at) + before;
    } else if (is_one_of(op, {"ReduceMax", "ReduceMin", "ReduceMean"})) {
      trail.is_reduced = true;
      trail.is_reckoned |= op == "ReduceMean";
    } else if (!hands_on(op) && !through_function(op, trail)) {
      return;
    }
    open.push_back(with_value(std::move(trail), node.input(0)));
  }

  static bool through_function(std::string_view op, Trail& trail) {
    if (!is_one_of(op, {"Neg", "Abs", "Sqrt"})) return false;
    trail.is_reckoned |= op == "Sqrt";
    std::vector<double>& numbers = trail.numbers;
    const std::vector<double> before = numbers;
    for (double& number : numbers) number = op == "Sqrt" ? number * number : op == "Neg" ? -number : number;
    if (op != "Abs") return true;
    for (const double number : before) add_new(numbers, {-number});
    return true;
  }

  void through_constant(const onnx::NodeProto& node, Trail trail, std::vector<Trail>& open) const {
    if (node.input_size() != 2) return;
    const auto right = number(node.input(1)), left = right ? std::nullopt : number(node.input(0));
    if (!right && !left) return;
    trail.is_reckoned = true;
    for (double& number : trail.numbers) number = before(node.op_type(), number, left, right);
    open.push_back(with_value(std::move(trail), node.input(right ? 0 : 1)));
  }

  /// What goes in where `result` comes out, with a constant on one side.
  static double before(std::string_view op, double result, std::optional<double> left, std::optional<double> right) {
    if (op == "Mod") return right ? result + *right : result;
    if (op == "Add") return result - (right ? *right : *left);
    if (op == "Mul") return result / (right ? *right : *left);
    if (op == "Sub") return right ? result + *right : *left - result;
    return right ? result * *right : *left / result;
  }

  void keep(const Trail& trail) {
    if (trail.is_for_integers && !integers_.contains(trail.value)) return;
    if (trail.is_index) found.indices.insert(trail.value);
    if (!trail.words.empty()) add_new(found.words[trail.value], trail.words);
    for (const double number : trail.numbers) {
      if (std::isnan(number)) found.inputs[trail.value].asks_nan = true;
      if (std::isinf(number)) found.inputs[trail.value].asks_infinite = true;
    }
    std::vector<double> finite;
    std::ranges::copy_if(trail.numbers, std::back_inserter(finite), [](double x) { return std::isfinite(x); });
    if (finite.empty()) return;
    ComparedNumbers& known = found.inputs[trail.value];
    add_new(known.numbers, finite);
    std::ranges::sort(known.numbers);
    known.is_reduced |= trail.is_reduced;
    if (!trail.is_reckoned) add_new(known.exact, finite);
    std::ranges::sort(known.exact);
  }

  // --- sizes ---

  void to_size(const onnx::NodeProto& node, const Trail& trail) {
    // The last axis of what is looked up is a row's.
    const bool may_look_up = node.op_type() != "Size" && trail.place.value_or(-1) >= 0;
    const auto* shape = shape_of_input(node.input(0), may_look_up);
    if (shape != nullptr) node.op_type() == "Size" ? keep_count(*shape, trail) : keep_axis(*shape, node, trail);
  }

  void to_axis(const std::string& value, std::int64_t axis, const std::vector<double>& sizes) {
    const auto* shape = shape_of_input(value, axis >= 0);
    if (shape == nullptr) return;
    const auto rank = static_cast<std::int64_t>(shape->size());
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (at >= 0 && at < rank) keep_size((*shape)[static_cast<std::size_t>(at)], sizes, 1);
  }

  /// The shape of the input that has the shape of this value, or the first axes of it where it is looked up in a table.
  [[nodiscard]] const std::vector<Dim>* shape_of_input(std::string value, bool may_look_up) {
    while (!inputs_.contains(value)) {
      const auto maker = makers_.find(value);
      if (maker == makers_.end() || ++steps_ > most_trail_steps) return nullptr;
      const auto& before = *maker->second;
      const bool is_lookup = before.op_type() == "Gather" && before.input_size() == 2 &&
                             stored_.contains(before.input(0)) && integer_of(before, "axis", 0) == 0;
      if (is_lookup && !may_look_up) return nullptr;
      if (!is_lookup && (!keeps_shape(before.op_type()) || before.input_size() == 0)) return nullptr;
      value = before.input(is_lookup ? 1 : 0);
    }
    const auto& shape = inputs_.at(value);
    return shape ? &*shape : nullptr;
  }

  void keep_axis(const std::vector<Dim>& shape, const onnx::NodeProto& node, const Trail& trail) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t start = integer_of(node, "start", 0), end = integer_of(node, "end", rank);
    const bool is_one = (end < 0 ? end + rank : end) - (start < 0 ? start + rank : start) == 1;
    if (!trail.place && !is_one) return;
    const std::int64_t place = trail.place.value_or(0) + start;
    const std::int64_t axis = place < 0 ? place + rank : place;
    if (axis >= 0 && axis < rank) keep_size(shape[static_cast<std::size_t>(axis)], trail.numbers, 1);
  }

  /// The number of elements tells of a size where only one is open.
  void keep_count(const std::vector<Dim>& shape, const Trail& trail) {
    double known = 1;
    const Dim* open = nullptr;
    for (const Dim& dim : shape) {
      if (!dim.value && open != nullptr) return;
      if (dim.value) known *= static_cast<double>(*dim.value);
      if (!dim.value) open = &dim;
    }
    if (open != nullptr && known > 0) keep_size(*open, trail.numbers, known);
  }

  void keep_size(const Dim& dim, const std::vector<double>& numbers, double share) {
    constexpr double largest = 1e6;
    if (dim.value || dim.name.empty()) return;
    std::vector<std::int64_t> sizes;
    for (const double number : numbers) {
      const double size = std::floor(number / share);
      if (size >= 0 && size <= largest) sizes.push_back(static_cast<std::int64_t>(size));
    }
    if (sizes.empty()) return;
    add_new(found.sizes[dim.name], sizes);
    std::ranges::sort(found.sizes[dim.name]);
  }

  std::unordered_map<std::string, const onnx::NodeProto*> makers_;
  std::unordered_map<std::string, const onnx::TensorProto*> stored_;
  std::unordered_map<std::string, std::optional<std::vector<Dim>>> inputs_;
  std::set<std::string> integers_;  // of the inputs
  int steps_ = 0;
};

}  // namespace

void Compared::add(const Compared& other) {
  for (const auto& [input, its] : other.inputs) {
    ComparedNumbers& known = inputs[input];
    add_new(known.numbers, its.numbers);
    std::ranges::sort(known.numbers);
    known.is_reduced |= its.is_reduced;
    add_new(known.exact, its.exact);
    std::ranges::sort(known.exact);
    known.asks_nan |= its.asks_nan;
    known.asks_infinite |= its.asks_infinite;
  }
  for (const auto& [input, its] : other.words) add_new(words[input], its);
  for (const auto& [name, its] : other.sizes) {
    add_new(sizes[name], its);
    std::ranges::sort(sizes[name]);
  }
  indices.insert(other.indices.begin(), other.indices.end());
}

Compared compared_with(const onnx::ModelProto& model) {
  Comparisons comparisons(model.graph());
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) comparisons.look_at(node);
  });
  return std::move(comparisons.found);
}

Compared sizes_behind(const onnx::ModelProto& model, std::span<const TellingLength> lengths) {
  Comparisons comparisons(model.graph());
  for (const TellingLength& length : lengths) comparisons.look_at_length(length);
  Compared found = std::move(comparisons.found);
  found.inputs.clear();
  return found;
}

Compared asked_by(const onnx::ModelProto& model, std::span<const onnx::NodeProto* const> nodes) {
  Comparisons comparisons(model.graph());
  for (const onnx::NodeProto* node : nodes) comparisons.look_at_sides(*node);
  return std::move(comparisons.found);
}

}  // namespace culprit
