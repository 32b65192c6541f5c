#include "model/stored_numbers.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"
#include "tensor/strides.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::int64_t most_numbers = 64 << 20;  // floats: 256 MB
constexpr int most_steps = 64;                   // operators and tensors; a graph may go in circles

using Numbers = std::optional<StoredNumbers>;

std::optional<std::int64_t> count_of(const Shape& shape) {
  const auto count = element_count(shape);
  return count && *count <= most_numbers ? std::optional(*count) : std::nullopt;
}

/// Calls `visit(i)` for each element of `shape` in order, where i is what `strides` make of its place.
template <class Visit>
void for_each_place(const Shape& shape, const Shape& strides, std::int64_t count, const Visit& visit) {
  Shape place(shape.size(), 0);
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(static_cast<std::size_t>(at));
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      at += strides[axis];
      if (++place[axis] < shape[axis]) break;
      at -= place[axis] * strides[axis];
      place[axis] = 0;
    }
  }
}

Numbers read(const onnx::TensorProto& stored) {
  if (!count_of(Shape(stored.dims().begin(), stored.dims().end()))) return std::nullopt;
  const auto tensor = from_proto(stored);
  if (!tensor || !(is_float(tensor->dtype()) || is_integer(tensor->dtype()))) return std::nullopt;
  StoredNumbers made{tensor->shape(), std::vector<float>(static_cast<std::size_t>(tensor->count()))};
  for (std::size_t i = 0; i < made.numbers.size(); ++i)
    made.numbers[i] = static_cast<float>(tensor->number(static_cast<std::int64_t>(i)));
  return made;
}

Numbers transposed(const StoredNumbers& from, const onnx::NodeProto& node) {
  const std::size_t rank = from.shape.size();
  Shape order;
  for (std::size_t axis = rank; axis > 0; --axis) order.push_back(static_cast<std::int64_t>(axis) - 1);
  if (const auto* given = attribute_of(node, "perm")) order.assign(given->ints().begin(), given->ints().end());
  Shape sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t axis = 0; axis < sorted.size(); ++axis) {
    if (sorted.size() != rank || sorted[axis] != static_cast<std::int64_t>(axis)) return std::nullopt;
  }
  const Shape strides = strides_of(from.shape);
  StoredNumbers made;
  Shape its_strides;
  for (const std::int64_t axis : order) {
    made.shape.push_back(from.shape[static_cast<std::size_t>(axis)]);
    its_strides.push_back(strides[static_cast<std::size_t>(axis)]);
  }
  made.numbers.reserve(from.numbers.size());
  for_each_place(made.shape, its_strides, static_cast<std::int64_t>(from.numbers.size()),
                 [&](std::size_t at) { made.numbers.push_back(from.numbers[at]); });
  return made;
}

/// Along the first axis only: tables are put together of rows.
Numbers joined(const std::vector<StoredNumbers>& parts, const onnx::NodeProto& node) {
  if (parts.empty() || parts[0].shape.empty() || integer_of(node, "axis", 0) != 0) return std::nullopt;
  StoredNumbers made{parts[0].shape, {}};
  made.shape[0] = 0;
  for (const StoredNumbers& part : parts) {
    const bool fits = part.shape.size() == made.shape.size() &&
                      std::equal(part.shape.begin() + 1, part.shape.end(), made.shape.begin() + 1);
    if (!fits) return std::nullopt;
    made.shape[0] += part.shape[0];
    if (!count_of(made.shape)) return std::nullopt;
    made.numbers.insert(made.numbers.end(), part.numbers.begin(), part.numbers.end());
  }
  return made;
}

/// As numpy does it; nothing where the shapes do not fit.
template <class Do>
Numbers broadcast(const StoredNumbers& a, const StoredNumbers& b, const Do& with) {
  const std::size_t rank = std::max(a.shape.size(), b.shape.size());
  Shape shape(rank, 1), of_a(rank, 0), of_b(rank, 0);
  for (const auto& [from, strides] : {std::pair{&a, &of_a}, std::pair{&b, &of_b}}) {
    const Shape its = strides_of(from->shape);
    for (std::size_t i = 0; i < its.size(); ++i) {
      const std::size_t axis = rank - its.size() + i;
      if (from->shape[i] == 1) continue;
      if (shape[axis] != 1 && shape[axis] != from->shape[i]) return std::nullopt;
      shape[axis] = from->shape[i];
      (*strides)[axis] = its[i];
    }
  }
  const auto count = count_of(shape);
  if (!count) return std::nullopt;
  StoredNumbers made{shape, {}};
  made.numbers.reserve(static_cast<std::size_t>(*count));
  for_each_place(shape, of_a, *count, [&](std::size_t at) { made.numbers.push_back(a.numbers[at]); });
  std::size_t i = 0;
  for_each_place(shape, of_b, *count, [&](std::size_t at) {
    made.numbers[i] = with(made.numbers[i], b.numbers[at]);
    ++i;
  });
  return made;
}

Numbers reckoned(std::string_view op, const StoredNumbers& a, const StoredNumbers& b) {
  if (op == "Add") return broadcast(a, b, [](float x, float y) { return x + y; });
  if (op == "Sub") return broadcast(a, b, [](float x, float y) { return x - y; });
  if (op == "Mul") return broadcast(a, b, [](float x, float y) { return x * y; });
  return broadcast(a, b, [](float x, float y) { return x / y; });
}

/// A list of scales lies along its axis.
StoredNumbers along(StoredNumbers scale, std::size_t rank, std::int64_t axis) {
  const auto place = static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
  if (scale.shape.size() != 1 || scale.numbers.size() == 1 || place >= rank) return scale;
  const std::int64_t count = scale.shape[0];
  scale.shape.assign(rank, 1);
  scale.shape[place] = count;
  return scale;
}

Numbers dequantized(const std::vector<StoredNumbers>& from, const onnx::NodeProto& node) {
  if (from.size() < 2 || integer_of(node, "block_size", 0) != 0) return std::nullopt;
  const std::size_t rank = from[0].shape.size();
  const std::int64_t axis = integer_of(node, "axis", 1);
  Numbers whole = from[0];
  if (from.size() > 2) whole = reckoned("Sub", from[0], along(from[2], rank, axis));
  return whole ? reckoned("Mul", *whole, along(from[1], rank, axis)) : std::nullopt;
}

class Reckoning {
 public:
  explicit Reckoning(const StoredValues& values) : values_(values) {}

  [[nodiscard]] Numbers of(const std::string& name) {
    if (++steps_ > most_steps) return std::nullopt;
    if (const auto* stored = values_.tensor(name)) return read(*stored);
    const auto* node = values_.maker(name);
    if (node == nullptr || !domain_of(node->domain()).empty() || !is_known(*node)) return std::nullopt;
    std::vector<StoredNumbers> inputs;
    for (const std::string& input : node->input()) {
      auto its = of(input);
      if (!its) return std::nullopt;
      inputs.push_back(std::move(*its));
    }
    return inputs.empty() ? std::nullopt : made_by(*node, inputs);
  }

 private:
  static bool is_known(const onnx::NodeProto& node) {
    constexpr int most_inputs = 64;
    return node.input_size() <= most_inputs &&
           is_one_of(node.op_type(),
                     {"Identity", "Cast", "Transpose", "Concat", "DequantizeLinear", "Add", "Sub", "Mul", "Div"});
  }

  static Numbers made_by(const onnx::NodeProto& node, const std::vector<StoredNumbers>& inputs) {
    const std::string& op = node.op_type();
    if (op == "Identity") return inputs[0];
    if (op == "Transpose") return transposed(inputs[0], node);
    if (op == "Concat") return joined(inputs, node);
    if (op == "DequantizeLinear") return dequantized(inputs, node);
    if (op != "Cast") return inputs.size() == 2 ? reckoned(op, inputs[0], inputs[1]) : std::nullopt;
    const auto to = dtype_from_onnx(static_cast<std::int32_t>(integer_of(node, "to", 0)));
    return to && is_float(*to) ? Numbers(inputs[0]) : std::nullopt;
  }

  const StoredValues& values_;
  int steps_ = 0;
};

}  // namespace

StoredValues::StoredValues(const onnx::ModelProto& model) {
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) stored_.emplace(tensor.name(), &tensor);
    for (const auto& node : graph.node()) {
      const auto* value = node.op_type() == "Constant" ? attribute_of(node, "value") : nullptr;
      if (value != nullptr && node.output_size() == 1) stored_.emplace(node.output(0), &value->t());
      for (const std::string& output : node.output()) makers_.emplace(output, &node);
    }
  });
}

const onnx::TensorProto* StoredValues::tensor(const std::string& name) const {
  const auto found = stored_.find(name);
  const bool is_here = found != stored_.end() && found->second->data_location() != onnx::TensorProto::EXTERNAL;
  return is_here ? found->second : nullptr;
}

const onnx::NodeProto* StoredValues::maker(const std::string& name) const {
  const auto found = makers_.find(name);
  return found == makers_.end() ? nullptr : found->second;
}

Numbers StoredValues::numbers(const std::string& name) const { return Reckoning(*this).of(name); }

}  // namespace culprit
