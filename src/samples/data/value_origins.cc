#include "data/value_origins.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "data/moved_elements.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using Found = std::unique_ptr<Origins>;

constexpr int deepest = 200;                  // operators between
constexpr std::int64_t most = 1'000'000;      // elements of one value
constexpr std::int64_t most_held = 8 * most;  // of all together

std::optional<Numbers> integers(const onnx::NodeProto& node, std::string_view name) {
  const auto* found = attribute_of(node, name);
  if (found == nullptr) return std::nullopt;
  return Numbers(found->ints().begin(), found->ints().end());
}

Numbers integers(const Tensor& tensor) {
  Numbers numbers;
  for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(static_cast<std::int64_t>(tensor.number(i)));
  return numbers;
}

bool is_number(DType type) { return is_float(type) || is_integer(type) || type == DType::boolean; }

/// Which element of a constant of shape `from` stands at each element of `shape`; nullopt where that is no broadcast of
/// it into that shape.
std::optional<std::vector<std::int64_t>> broadcast(const Shape& from, const Shape& shape) {
  if (from.size() > shape.size()) return std::nullopt;
  const std::size_t shift = shape.size() - from.size();
  std::vector<std::int64_t> places(1, 0);
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t size = axis < shift ? 1 : from[axis - shift];
    if (size != 1 && size != shape[axis]) return std::nullopt;
    std::vector<std::int64_t> next;
    for (const std::int64_t base : places) {
      for (std::int64_t i = 0; i < shape[axis]; ++i) next.push_back(base * size + (size == 1 ? 0 : i));
    }
    places = std::move(next);
  }
  return places;
}

Found with_shape(const Origins& before, std::optional<Shape> shape) {
  if (!shape) return nullptr;
  auto after = std::make_unique<Origins>(before);
  after->shape = std::move(*shape);
  return after;
}

Found after(const Origins& before, const std::optional<Move>& move, double fill = 0) {
  if (!move || static_cast<std::int64_t>(move->from.size()) > most) return nullptr;
  auto made = std::make_unique<Origins>();
  made->dtype = before.dtype;
  made->shape = move->shape;
  const ElementOrigin filled{ElementOrigin::constant, false, 0, 0, fill};
  for (const std::int64_t from : move->from) {
    made->elements.push_back(from == Move::filled ? filled : before.elements[static_cast<std::size_t>(from)]);
  }
  return made;
}

void scale(ElementOrigin& origin, double factor) {
  origin.scale *= factor;
  origin.offset *= factor;
}

/// What was clipped at 0 and then moved is no longer clipped at 0: its lower end is not followed any further.
bool has_clipped(const Origins& origins) { return std::ranges::any_of(origins.elements, &ElementOrigin::clipped); }

}  // namespace

OriginFinder::OriginFinder(const onnx::GraphProto& graph, std::span<const NamedTensor> inputs)
    : inputs_(inputs), body_inputs_(body_inputs(graph)) {
  for_each_graph(graph, [&](const onnx::GraphProto& inner) {
    for (const auto& initializer : inner.initializer()) constants_.emplace(initializer.name(), &initializer);
    for (const auto& node : inner.node()) {
      for (const std::string& output : node.output()) makers_.emplace(output, &node);
    }
  });
}

const Origins* OriginFinder::of(const std::string& value) {
  if (const auto known = found_.find(value); known != found_.end()) return known->second.get();
  if (value.empty() || depth_ > deepest || elements_ > most_held) return nullptr;
  ++depth_;
  Found found = find(value);
  --depth_;
  if (found && static_cast<std::int64_t>(found->elements.size()) > most) found = nullptr;
  if (found) elements_ += static_cast<std::int64_t>(found->elements.size());
  return (found_[value] = std::move(found)).get();
}

Found OriginFinder::find(const std::string& value) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Tensor& tensor = inputs_[i].value;
    if (inputs_[i].name != value) continue;
    if (!is_number(tensor.dtype()) || tensor.count() > most) return nullptr;
    auto made = std::make_unique<Origins>(Origins{tensor.dtype(), tensor.shape(), {}});
    for (std::int64_t at = 0; at < tensor.count(); ++at) {
      made->elements.push_back({static_cast<std::int32_t>(i), false, at, 1, 0});
    }
    return made;
  }
  if (const auto fixed = constant(value)) {
    if (!is_number(fixed->dtype()) || fixed->count() > most) return nullptr;
    auto made = std::make_unique<Origins>(Origins{fixed->dtype(), fixed->shape(), {}});
    for (std::int64_t at = 0; at < fixed->count(); ++at) {
      made->elements.push_back({ElementOrigin::constant, false, 0, 0, fixed->number(at)});
    }
    return made;
  }
  const auto maker = makers_.find(value);
  if (maker == makers_.end()) return into_body(value);
  const bool is_followed = domain_of(maker->second->domain()).empty() && maker->second->output_size() > 0 &&
                           maker->second->output(0) == value;
  if (!is_followed) return nullptr;
  return through(*maker->second);
}

Found OriginFinder::into_body(const std::string& value) {
  const auto known = body_inputs_.find(value);
  if (known == body_inputs_.end()) return nullptr;
  const BodyInput& input = known->second;
  const Origins* before = of(input.outside);
  if (before == nullptr) return nullptr;
  if (!input.axis) return std::make_unique<Origins>(*before);
  const auto axis = axis_in(*input.axis, before->shape.size());
  if (!axis || before->shape[*axis] == 0) return nullptr;
  const std::int64_t which = input.is_backward ? before->shape[*axis] - 1 : 0;
  const Found slice = after(*before, gathered(before->shape, {which}, *input.axis));
  return slice ? with_shape(*slice, squeezed(slice->shape, {*input.axis})) : nullptr;
}

std::unique_ptr<Tensor> OriginFinder::constant(const std::string& name) const {
  const onnx::TensorProto* proto = nullptr;
  if (const auto at = constants_.find(name); at != constants_.end()) proto = at->second;
  const auto maker = makers_.find(name);
  if (proto == nullptr && maker != makers_.end() && maker->second->op_type() == "Constant") {
    const auto* value = attribute_of(*maker->second, "value");
    if (value != nullptr) proto = &value->t();
  }
  if (proto == nullptr) return nullptr;
  auto tensor = from_proto(*proto);
  return tensor ? std::make_unique<Tensor>(std::move(*tensor)) : nullptr;
}

std::unique_ptr<Tensor> OriginFinder::constant(const onnx::NodeProto& node, int place) const {
  if (place >= node.input_size()) return nullptr;
  const auto fed = std::ranges::find(inputs_, node.input(place), &NamedTensor::name);
  return fed != inputs_.end() ? nullptr : constant(node.input(place));
}

const Origins* OriginFinder::input_of(const onnx::NodeProto& node, int place) {
  return place < node.input_size() ? of(node.input(place)) : nullptr;
}

Found OriginFinder::through(const onnx::NodeProto& node) {
  const std::string& op = node.op_type();
  if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div") return with_constant(node);
  if (op == "Concat") return joined(node);
  const Origins* before = input_of(node, 0);
  if (before == nullptr) return nullptr;
  if (op == "Identity" || op == "Dropout") return std::make_unique<Origins>(*before);
  if (op == "BatchNormalization") return normalized(node);
  if (op == "Transpose" || op == "Slice" || op == "Pad" || op == "Gather") return moved(node);
  if (op == "Reshape" || op == "Flatten" || op == "Squeeze" || op == "Unsqueeze") return reshaped(node);
  if (!is_float(before->dtype)) return nullptr;
  if (op == "Cast") {
    const auto to = dtype_from_onnx(static_cast<std::int32_t>(integer_of(node, "to", 0)));
    if (!to || !is_float(*to)) return nullptr;
    auto made = std::make_unique<Origins>(*before);
    made->dtype = *to;
    return made;
  }
  if ((op != "Neg" && op != "Relu") || (op == "Neg" && has_clipped(*before))) return nullptr;
  auto made = std::make_unique<Origins>(*before);
  for (ElementOrigin& origin : made->elements) {
    if (op == "Neg") scale(origin, -1);
    if (op == "Relu") origin.clipped = true;
  }
  return made;
}

Found OriginFinder::with_constant(const onnx::NodeProto& node) {
  if (node.input_size() != 2 || attribute_of(node, "axis") != nullptr) return nullptr;
  const std::string& op = node.op_type();
  auto fixed = constant(node, 1);
  const bool is_second = fixed != nullptr;
  if (!is_second) fixed = constant(node, 0);
  if (!fixed || (!is_second && op == "Div")) return nullptr;
  const Origins* before = input_of(node, is_second ? 0 : 1);
  if (before == nullptr || !is_float(before->dtype) || has_clipped(*before)) return nullptr;
  const auto places = broadcast(fixed->shape(), before->shape);
  if (!places) return nullptr;
  auto made = std::make_unique<Origins>(*before);
  for (std::size_t i = 0; i < made->elements.size(); ++i) {
    const double number = fixed->number((*places)[i]);
    ElementOrigin& origin = made->elements[i];
    if (op == "Mul") scale(origin, number);
    if (op == "Div") scale(origin, 1 / number);
    if (op == "Sub" && !is_second) scale(origin, -1);
    if (op == "Add" || (op == "Sub" && !is_second)) origin.offset += number;
    if (op == "Sub" && is_second) origin.offset -= number;
  }
  return made;
}

Found OriginFinder::normalized(const onnx::NodeProto& node) {
  const Origins* before = input_of(node, 0);
  std::vector<std::unique_ptr<Tensor>> weights;  // scale, bias, mean, variance
  for (int place = 1; place <= 4; ++place) weights.push_back(constant(node, place));
  const bool is_plain =
      before->shape.size() >= 2 && is_float(before->dtype) && !has_clipped(*before) &&
      integer_of(node, "training_mode", 0) == 0 &&
      std::ranges::all_of(weights, [&](const auto& w) { return w && w->count() == before->shape[1]; });
  if (!is_plain) return nullptr;
  const auto* epsilon = attribute_of(node, "epsilon");
  const double eps = epsilon == nullptr ? 1e-5 : static_cast<double>(epsilon->f());
  std::int64_t inner = 1;
  for (std::size_t axis = 2; axis < before->shape.size(); ++axis) inner *= before->shape[axis];
  auto made = std::make_unique<Origins>(*before);
  for (std::size_t i = 0; i < made->elements.size(); ++i) {
    const std::int64_t channel = static_cast<std::int64_t>(i) / inner % before->shape[1];
    ElementOrigin& origin = made->elements[i];
    origin.offset -= weights[2]->number(channel);
    scale(origin, weights[0]->number(channel) / std::sqrt(weights[3]->number(channel) + eps));
    origin.offset += weights[1]->number(channel);
  }
  return made;
}

Found OriginFinder::moved(const onnx::NodeProto& node) {
  const Origins& before = *input_of(node, 0);
  const std::string& op = node.op_type();
  const auto given = [&](std::string_view name, int place) -> std::optional<Numbers> {
    if (auto numbers = integers(node, name)) return numbers;
    const auto tensor = constant(node, place);
    return tensor ? std::optional(integers(*tensor)) : std::nullopt;
  };
  const auto has = [&](int place) { return place < node.input_size() && !node.input(place).empty(); };
  if (op == "Transpose") return after(before, transposed(before.shape, integers(node, "perm").value_or(Numbers())));
  if (op == "Gather") {
    const auto indices = constant(node, 1);
    if (!indices || indices->shape().size() != 1) return nullptr;
    return after(before, gathered(before.shape, integers(*indices), integer_of(node, "axis", 0)));
  }
  if (op == "Slice") {
    const auto starts = given("starts", 1), ends = given("ends", 2), axes = given("axes", 3), steps = given("-", 4);
    const bool is_known = starts && ends && (axes || !has(3)) && (steps || !has(4));
    if (!is_known) return nullptr;
    return after(before, sliced(before.shape, *starts, *ends, axes.value_or(Numbers()), steps.value_or(Numbers())));
  }
  const auto* mode = attribute_of(node, "mode");
  const auto pads = given("pads", 1);
  const auto* value = attribute_of(node, "value");
  const auto fill = constant(node, 2);
  if ((mode != nullptr && mode->s() != "constant") || !pads || has(3) || (has(2) && !fill)) return nullptr;
  return after(
      before, padded(before.shape, *pads),
      fill && fill->count() == 1 ? fill->number(0) : (value == nullptr ? 0.0 : static_cast<double>(value->f())));
}

Found OriginFinder::reshaped(const onnx::NodeProto& node) {
  const Origins& before = *input_of(node, 0);
  const std::string& op = node.op_type();
  if (op == "Flatten") {
    const std::int64_t axis = integer_of(node, "axis", 1);
    const auto rank = static_cast<std::int64_t>(before.shape.size());
    const std::int64_t cut = axis < 0 ? axis + rank : axis;
    if (cut < 0 || cut > rank) return nullptr;
    std::int64_t rows = 1;
    for (std::int64_t i = 0; i < cut; ++i) rows *= before.shape[static_cast<std::size_t>(i)];
    return rows == 0 ? nullptr : with_shape(before, shape_like(before.shape, {rows, -1}, true));
  }
  const auto tensor = constant(node, 1);
  if (op == "Reshape") {
    auto wanted = integers(node, "shape");
    if (!wanted && tensor) wanted = integers(*tensor);
    if (!wanted) return nullptr;
    return with_shape(before, shape_like(before.shape, *wanted, integer_of(node, "allowzero", 0) != 0));
  }
  auto axes = integers(node, "axes");
  if (!axes && tensor) axes = integers(*tensor);
  if (!axes && (node.input_size() > 1 || op == "Unsqueeze")) return nullptr;
  if (op == "Squeeze") return with_shape(before, squeezed(before.shape, axes.value_or(Numbers())));
  return with_shape(before, unsqueezed(before.shape, *axes));
}

Found OriginFinder::joined(const onnx::NodeProto& node) {
  std::vector<const Origins*> parts;
  for (int place = 0; place < node.input_size(); ++place) {
    parts.push_back(input_of(node, place));
    if (parts.back() == nullptr) return nullptr;
  }
  if (parts.empty()) return nullptr;
  auto made = std::make_unique<Origins>(Origins{parts.front()->dtype, parts.front()->shape, {}});
  const auto axis = axis_in(integer_of(node, "axis", 1), made->shape.size());
  if (!axis) return nullptr;
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < *axis; ++i) outer *= made->shape[i];
  made->shape[*axis] = 0;
  for (const Origins* part : parts) {
    if (part->shape.size() != made->shape.size()) return nullptr;
    made->shape[*axis] += part->shape[*axis];
  }
  if (outer == 0) return nullptr;
  for (std::int64_t row = 0; row < outer; ++row) {
    for (const Origins* part : parts) {
      const std::int64_t length = static_cast<std::int64_t>(part->elements.size()) / outer;
      const auto begin = part->elements.begin() + row * length;
      made->elements.insert(made->elements.end(), begin, begin + length);
    }
  }
  const auto count = element_count(made->shape);
  const bool fits = count && *count == static_cast<std::int64_t>(made->elements.size());
  return fits ? std::move(made) : nullptr;
}

}  // namespace culprit
