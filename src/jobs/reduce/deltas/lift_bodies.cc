// Loop and Scan: one turn of the body instead, as a model of its own.

#include <algorithm>
#include <set>

#include "model/values_of_node.h"
#include "reduce/cut_out.h"
#include "reduce/deltas/bodies.h"
#include "reduce/deltas/delta_list.h"
#include "reduce/deltas/slices.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// Which turn, and what it meets of what is carried along.
struct BodyTurn {
  int node;
  enum class Number { first, second, last } number = Number::first;
  enum class Meets {
    what_came_in,
    what_was_made,  ///< by the first turn of a Loop
    what_is_left,   ///< by the last
  } meets = Meets::what_came_in;
};

bool is_own(const onnx::NodeProto& node, const char* op) { return node.op_type() == op && node.domain().empty(); }

const onnx::AttributeProto* changeable_attribute_of(const onnx::NodeProto& node, const char* name) {
  const auto found = std::ranges::find(node.attribute(), name, &onnx::AttributeProto::name);
  return found == node.attribute().end() ? nullptr : &*found;
}

const onnx::GraphProto* body_of(const onnx::NodeProto& node) {
  const auto* body = changeable_attribute_of(node, "body");
  return body != nullptr && body->has_g() ? &body->g() : nullptr;
}

std::vector<BodyTurn> turns_of(const onnx::GraphProto& graph) {
  std::vector<BodyTurn> turns;
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    const bool is_loop = is_own(node, "Loop");
    if (body_of(node) == nullptr || (!is_loop && !is_own(node, "Scan"))) continue;
    turns.push_back({i});
    turns.push_back({i, BodyTurn::Number::last});
    if (!is_loop) continue;
    turns.push_back({i, BodyTurn::Number::second, BodyTurn::Meets::what_was_made});
    turns.push_back({i, BodyTurn::Number::last, BodyTurn::Meets::what_was_made});
    turns.push_back({i, BodyTurn::Number::last, BodyTurn::Meets::what_is_left});
  }
  return turns;
}

/// What feeds one input of the body in each sample.
class Lift {
 public:
  Lift(const View& view, const BodyTurn& turn)
      : view_(view), node_(view.model.graph().node(turn.node)), turn_(turn), samples_(view.samples.size()) {}

  std::optional<Case> run() {
    if (samples_.empty()) return std::nullopt;
    made_ = std::make_shared<onnx::ModelProto>(view_.model);
    onnx::GraphProto body = *body_of(node_);
    const auto inputs = body.input();
    body.clear_input();
    body.set_name(view_.model.graph().name());
    *made_->mutable_graph() = std::move(body);
    for (int i = 0; i < inputs.size(); ++i) {
      if (!feed(inputs.Get(i).name(), is_own(node_, "Loop") ? &Lift::of_loop : &Lift::of_scan, i)) return std::nullopt;
    }
    if (!add_what_is_around() || !keep_made_outputs()) return std::nullopt;
    sweep_all(*made_, samples_);
    return Case{std::move(made_), std::move(samples_)};
  }

 private:
  using Source = std::optional<Tensor> (Lift::*)(int input, std::size_t sample) const;

  /// A value of the top graph.
  [[nodiscard]] std::optional<Tensor> known(const std::string& name, std::size_t sample) const {
    for (const NamedTensor& fed : view_.samples[sample]) {
      if (fed.name == name && fed.part.empty()) return fed.value;
    }
    if (sample < view_.values.size()) {
      if (const auto at = view_.values[sample].find(name); at != view_.values[sample].end()) return at->second;
    }
    for (const auto& tensor : view_.model.graph().initializer()) {
      if (tensor.name() != name) continue;
      const auto read = from_proto(tensor);
      return read ? std::optional(*read) : std::nullopt;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Tensor> input_of_node(int input, std::size_t sample) const {
    const bool is_there = input < node_.input_size() && !node_.input(input).empty();
    return is_there ? known(node_.input(input), sample) : std::nullopt;
  }

  /// The number of the turn, the condition, and then what is carried along.
  [[nodiscard]] std::optional<Tensor> of_loop(int input, std::size_t sample) const {
    if (input == 0) return Tensor::of<std::int64_t>({}, {number_of_turn(sample)});
    if (input == 1) {
      const auto yes = Tensor::from_bytes(DType::boolean, {}, {std::byte{1}});
      return yes ? std::optional(*yes) : std::nullopt;
    }
    auto came_in = input_of_node(input, sample);
    if (turn_.meets == BodyTurn::Meets::what_came_in) return came_in;
    const int carried = input - 2;
    if (turn_.meets == BodyTurn::Meets::what_is_left) {
      const bool is_left = carried < node_.output_size() && !node_.output(carried).empty();
      return is_left ? known(node_.output(carried), sample) : std::nullopt;
    }
    const auto made = carried + 1 < body_of(node_)->output_size()
                          ? known(body_of(node_)->output(carried + 1).name(), sample)
                          : std::nullopt;
    if (!made || !came_in) return std::nullopt;
    const auto same_type = cast(*made, came_in->dtype());  // what is read inside of bodies is read as doubles
    return same_type ? std::optional(*same_type) : std::nullopt;
  }

  [[nodiscard]] std::int64_t number_of_turn(std::size_t sample) const {
    const auto turns = input_of_node(0, sample);
    const bool is_number = turns && turns->dtype() == DType::i64 && turns->count() == 1;
    if (turn_.number == BodyTurn::Number::last && is_number)
      return std::max<std::int64_t>(turns->as<std::int64_t>()[0] - 1, 0);
    return turn_.number == BodyTurn::Number::second ? 1 : 0;
  }

  /// States, and then one slice of each value that it goes over.
  [[nodiscard]] std::optional<Tensor> of_scan(int input, std::size_t sample) const {
    const auto* scanned = changeable_attribute_of(node_, "num_scan_inputs");
    const int states = node_.input_size() - static_cast<int>(scanned == nullptr ? 0 : scanned->i());
    auto value = input_of_node(input, sample);
    if (!value || input < states) return value;
    const auto* axes = changeable_attribute_of(node_, "scan_input_axes");
    const auto* directions = changeable_attribute_of(node_, "scan_input_directions");
    const int number = input - states;
    std::int64_t axis = axes != nullptr && number < axes->ints_size() ? axes->ints(number) : 0;
    const auto rank = static_cast<std::int64_t>(value->shape().size());
    if (axis < 0) axis += rank;
    if (axis < 0 || axis >= rank) return std::nullopt;
    const bool is_backward = directions != nullptr && number < directions->ints_size() && directions->ints(number) == 1;
    const std::int64_t length = value->shape()[static_cast<std::size_t>(axis)];
    const bool is_last = turn_.number == BodyTurn::Number::last;
    return slice_of(*value, static_cast<std::size_t>(axis), is_last != is_backward ? length - 1 : 0);
  }

  /// Values of the graph around that the body uses.
  [[nodiscard]] std::optional<Tensor> of_around(int input, std::size_t sample) const {
    return known(around_[static_cast<std::size_t>(input)], sample);
  }

  bool add_what_is_around() {
    for (const std::string_view name : used_values(node_)) around_.emplace_back(name);
    around_.erase(around_.begin(), around_.begin() + node_.input_size());
    auto& graph = *made_->mutable_graph();
    for (std::size_t i = 0; i < around_.size(); ++i) {
      const auto& stored = view_.model.graph().initializer();
      const auto tensor = std::ranges::find(stored, around_[i], &onnx::TensorProto::name);
      if (tensor != stored.end())
        *graph.add_initializer() = *tensor;
      else if (!feed(around_[i], &Lift::of_around, static_cast<int>(i)))
        return false;
    }
    return true;
  }

  /// A new input. One whose value is not known is none; it may be that nothing uses it.
  bool feed(const std::string& name, Source source, int number) {
    onnx::ValueInfoProto input;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      auto value = (this->*source)(number, s);
      if (!value) return !is_used(name);
      if (s == 0) {
        input.set_name(name);
        *input.mutable_type() = type_of(*value);
      }
      if (s > 0) leave_open(input, value->shape());
      samples_[s].push_back({name, std::move(*value)});
    }
    *made_->mutable_graph()->add_input() = std::move(input);
    return true;
  }

  [[nodiscard]] bool is_used(const std::string& name) const {
    return std::ranges::any_of(made_->graph().node(), [&](const onnx::NodeProto& node) {
      const auto used = used_by(node);
      return std::ranges::find(used, name) != used.end();
    });
  }

  /// Sizes that differ between samples.
  static void leave_open(onnx::ValueInfoProto& input, const Shape& other) {
    auto* shape = input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (int axis = 0; axis < shape->dim_size(); ++axis) {
      const bool is_same = axis < static_cast<int>(other.size()) &&
                           other[static_cast<std::size_t>(axis)] == shape->dim(axis).dim_value();
      if (!is_same) shape->mutable_dim(axis)->clear_value();
    }
  }

  /// What the body only hands on says nothing, and an output of a model has a type.
  bool keep_made_outputs() {
    auto& graph = *made_->mutable_graph();
    std::set<std::string> makes;
    for (const auto& node : graph.node()) makes.insert(node.output().begin(), node.output().end());
    for (int i = graph.output_size() - 1; i >= 0; --i) {
      const bool is_typed = graph.output(i).type().has_tensor_type();
      if (!is_typed || makes.erase(graph.output(i).name()) == 0) graph.mutable_output()->DeleteSubrange(i, 1);
    }
    return graph.output_size() > 0;
  }

  const View& view_;
  const onnx::NodeProto& node_;
  BodyTurn turn_;
  std::vector<std::string> around_;
  std::shared_ptr<onnx::ModelProto> made_;
  std::vector<Inputs> samples_;
};

/// What goes into these nodes, what their bodies use, and what comes out of Loops and of their first turns.
std::vector<std::string> values_of_turns(const onnx::ModelProto& model) {
  const auto& graph = model.graph();
  std::set<std::string> values;
  std::vector<std::string> made;
  for (const BodyTurn& turn : turns_of(graph)) {
    const auto& node = graph.node(turn.node);
    for (const std::string_view name : used_values(node)) values.emplace(name);
    if (turn.meets != BodyTurn::Meets::what_is_left) continue;  // one of each Loop's
    values.insert(node.output().begin(), node.output().end());
    const auto& carried = body_of(node)->output();
    for (int i = 1; i < std::min(carried.size(), node.input_size() - 1); ++i) made.push_back(carried[i].name());
  }
  for (const auto& node : graph.node()) {
    std::ranges::copy_if(node.output(), std::back_inserter(made),
                         [&](const std::string& name) { return !name.empty() && values.contains(name); });
  }
  return made;
}

}  // namespace

Delta lift_bodies() {
  return {Delta::Way::listed, false, [](const View& view) { return turns_of(view.model.graph()).size(); },
          [](const View& view, std::size_t number, std::size_t /*last*/) {
            return Lift(view, turns_of(view.model.graph()).at(number)).run();
          },
          values_of_turns};
}

}  // namespace culprit
