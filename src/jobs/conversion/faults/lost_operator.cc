#include "conversion/faults/lost_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace culprit {
namespace {

/// Operators of one input and one output that may be lost or added and leave the shape of the rest.
constexpr std::array<std::string_view, 36> one_input_types{"Relu",
                                                           "Sigmoid",
                                                           "Tanh",
                                                           "Softmax",
                                                           "LogSoftmax",
                                                           "LeakyRelu",
                                                           "PRelu",
                                                           "Elu",
                                                           "Selu",
                                                           "Celu",
                                                           "Gelu",
                                                           "Mish",
                                                           "Erf",
                                                           "Clip",
                                                           "Neg",
                                                           "Abs",
                                                           "Sqrt",
                                                           "Reciprocal",
                                                           "Exp",
                                                           "Log",
                                                           "Softplus",
                                                           "Softsign",
                                                           "HardSigmoid",
                                                           "HardSwish",
                                                           "Sin",
                                                           "Cos",
                                                           "Floor",
                                                           "Ceil",
                                                           "Round",
                                                           "Sign",
                                                           "MaxPool",
                                                           "AveragePool",
                                                           "LpNormalization",
                                                           "LRN",
                                                           "ThresholdedRelu",
                                                           "InstanceNormalization"};

const NetworkLayer& source_layer(const EvidenceTask& task, int layer) {
  return task.source.network().layers[static_cast<std::size_t>(layer)];
}

/// The shape of the layer's first input.
Shape shape_before(const EvidenceTask& task, int layer) {
  const auto& inputs = source_layer(task, layer).inputs;
  return inputs.empty() || inputs[0] < 0 ? Shape{} : shape_in(task.sketches_source, inputs[0]);
}

class LostOperator {
 public:
  explicit LostOperator(const EvidenceTask& task) : task_(task) {}

  std::vector<EditProposal> search(int layer) {
    if (adds_a_constant(layer))
      add_lost(layer, FaultClass::parameter);
    else if (is_plain(source(layer)) || takes_one_value(layer))
      add_lost(layer, FaultClass::graph);
    else if (takes_two_values(layer))
      add_lost_of_two(layer);
    return std::move(proposals_);
  }

  std::vector<EditProposal> transpose(int layer) {
    add_lost(layer, FaultClass::layout);
    return std::move(proposals_);
  }

 private:
  [[nodiscard]] const NetworkLayer& source(int layer) const { return source_layer(task_, layer); }
  [[nodiscard]] const NetworkLayer& target(int layer) const {
    return task_.target.network().layers[static_cast<std::size_t>(layer)];
  }

  /// A bias, a table of places: what else it takes than its first input are constants.
  [[nodiscard]] bool takes_one_value(int layer) const {
    constexpr std::array<std::string_view, 7> types{"Add", "Sub", "Mul", "Div", "Pow", "Min", "Max"};
    const auto& inputs = source(layer).inputs;
    return std::ranges::find(types, source(layer).type) != types.end() && inputs.size() > 1 && inputs[0] >= 0 &&
           !task_.source.is_constant(inputs[0]) && computed_inputs(task_.source, source(layer)) == 1;
  }

  /// A residual connection: two values that are computed.
  [[nodiscard]] bool takes_two_values(int layer) const {
    constexpr std::array<std::string_view, 6> types{"Add", "Mul", "Min", "Max", "Sub", "Div"};
    return std::ranges::find(types, source(layer).type) != types.end() && source(layer).inputs.size() == 2 &&
           computed_inputs(task_.source, source(layer)) == 2 && !source(layer).outputs.empty();
  }

  /// One that is spread over the layer's input, where that lies as the target has it: a slope for each channel.
  [[nodiscard]] Tensor constant_in_target(const Tensor& constant, int layer) const {
    const ValueOrder order = order_of_pair(task_, {layer, -1});
    const std::size_t rank = shape_before(task_, layer).size();
    if (constant.count() == 1 || order.moves_nothing() || constant.shape().size() > rank) return constant;
    Shape spread(rank - constant.shape().size(), 1);
    spread.insert(spread.end(), constant.shape().begin(), constant.shape().end());
    const auto whole = laid_out(constant, ValueOrder{}, spread);
    Shape turned = laid_out_shape(spread, order);
    ValueOrder own = order;
    if (own.channel_axis < 0 || turned.at(static_cast<std::size_t>(own.channel_axis)) != std::ssize(own.channels))
      own.channels.clear();
    const auto laid = whole ? laid_out(*whole, own, turned) : whole;
    if (!laid) return constant;
    turned.erase(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(rank - constant.shape().size()));
    const auto trimmed = laid_out(*laid, ValueOrder{}, turned);  // without the batch, as it was
    return trimmed ? *trimmed : *laid;
  }

  [[nodiscard]] std::vector<Tensor> constants_of(int number) const {
    const NetworkLayer& layer = source(number);
    std::vector<Tensor> constants;
    for (std::size_t at = 1; at < layer.inputs.size(); ++at) {
      const auto* value =
          layer.inputs[at] < 0 ? nullptr : &task_.source.network().values[static_cast<std::size_t>(layer.inputs[at])];
      constants.push_back(value != nullptr && value->constant ? constant_in_target(*value->constant, number)
                                                              : Tensor());
    }
    return constants;
  }

  /// A bias that stands alone, as behind a MatMul. Where the target has it in a node of its own, or none, what is lost
  /// are its numbers.
  [[nodiscard]] bool adds_a_constant(int number) const {
    const NetworkLayer& layer = source(number);
    return layer.type == "Add" && layer.inputs.size() == 2 && layer.inputs[0] >= 0 && layer.parameters.size() == 1 &&
           layer.parameters[0].at == 1 && !task_.source.is_constant(layer.inputs[0]);
  }

  /// An activation that stands behind a value is not lost there. Pools may follow each other.
  [[nodiscard]] bool is_there(int layer, const std::vector<int>& users) const {
    const std::string& type = source(layer).type;
    return is_plain(source(layer)) && !type.ends_with("Pool") &&
           std::ranges::any_of(users, [&](int user) { return target(user).type == type; });
  }

  void insert(int layer, FaultClass kind, int value, std::vector<int> users, int with = -1,
              bool is_with_first = false) {
    if (is_there(layer, users.empty() ? task_.target.users(value) : users)) return;
    EditProposal& made = proposals_.emplace_back();
    made.kind = kind;
    made.source_layer = layer;
    made.evidence.kind = "operator_lost";
    InsertBehind edit{value, std::move(users), source(layer), {}, with, is_with_first};
    if (with < 0) edit.constants = constants_of(layer);
    edit.layer.hyper = hyper_in_target_of(task_, layer);
    made.edits.emplace_back(std::move(edit));
    made.repair.right = source(layer).type;
    made.evidence.message = kind == FaultClass::parameter ? "the numbers that are added are lost, or all 0"
                                                          : fmt::format("{} is lost", source(layer).type);
  }

  /// At the end of the region, behind the mate of its input, and before each layer of the region.
  void add_lost(int layer, FaultClass kind) {
    const auto& outputs = source(layer).outputs;
    if (!outputs.empty() && outputs[0] == task_.region.source) {
      insert(layer, kind, task_.region.target, {});
      return;
    }
    const int input = source(layer).inputs.empty() ? -1 : source(layer).inputs[0];
    const auto known = task_.known.find(input);
    const bool has_mate = known != task_.known.end();
    if (has_mate) insert(layer, kind, known->second.target, users_in_region(known->second.target));
    for (const int user : task_.region.target_layers) {
      const auto& inputs = target(user).inputs;
      if (inputs.empty() || inputs[0] < 0 || task_.target.is_constant(inputs[0])) continue;
      if (has_mate && inputs[0] == known->second.target) continue;
      insert(layer, kind, inputs[0], {user});
    }
  }

  /// Its users were given one of the two values. The other one is known, and is taken as well.
  void add_lost_of_two(int layer) {
    const auto& inputs = source(layer).inputs;
    for (const std::size_t at : {0U, 1U}) {
      const auto other = task_.known.find(inputs[1 - at]);
      const auto given = task_.known.find(inputs[at]);
      if (other == task_.known.end()) continue;
      const int with = other->second.target;
      if (source(layer).outputs[0] == task_.region.source) {
        if (with != task_.region.target) insert(layer, FaultClass::graph, task_.region.target, {}, with, at == 1);
      } else if (given != task_.known.end()) {
        insert(layer, FaultClass::graph, given->second.target, users_in_region(given->second.target), with, at == 1);
      }
    }
  }

  [[nodiscard]] std::vector<int> users_in_region(int value) const {
    std::vector<int> users;
    for (const int user : task_.target.users(value))
      if (std::ranges::binary_search(task_.region.target_layers, user)) users.push_back(user);
    return users;
  }

  const EvidenceTask& task_;
  std::vector<EditProposal> proposals_;
};

}  // namespace

bool is_plain(const NetworkLayer& layer) {
  return std::ranges::find(one_input_types, layer.type) != one_input_types.end();
}

std::size_t computed_inputs(const Ways& ways, const NetworkLayer& layer) {
  return static_cast<std::size_t>(
      std::ranges::count_if(layer.inputs, [&](int input) { return input >= 0 && !ways.is_constant(input); }));
}

std::vector<EditProposal> lost_operator(const EvidenceTask& task, int layer) {
  return LostOperator(task).search(layer);
}

std::vector<EditProposal> lost_transpose(const EvidenceTask& task, int layer) {
  return LostOperator(task).transpose(layer);
}

HyperMap hyper_in_target_of(const EvidenceTask& task, int layer) {
  HyperMap hyper = source_layer(task, layer).hyper;
  const Shape shape = shape_before(task, layer);
  const ValueOrder order = order_of_pair(task, {layer, -1});
  const HyperMap canonical = canonical_hyper({task.source.network(), layer, shape, {}});
  for (const char* name : {"axis", "axes"})
    if (const auto given = canonical.find(name); given != canonical.end())
      hyper[name] =
          hyper_in_target(name, given->second, {task.target.network(), -1, laid_out_shape(shape, order), {}, order});
  return hyper;
}

}  // namespace culprit
