#include "conversion/faults/graph_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
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

bool is_plain(const NetworkLayer& layer) {
  return std::ranges::find(one_input_types, layer.type) != one_input_types.end();
}

class GraphSearch {
 public:
  GraphSearch(const EvidenceTask& task, const std::vector<LayerPair>& pairs) : task_(task), pairs_(pairs) {
    std::set<int> paired_source, paired_target;
    for (const LayerPair& pair : pairs) {
      paired_source.insert(pair.source);
      paired_target.insert(pair.target);
    }
    for (const int layer : task.region.source_layers)
      if (!paired_source.contains(layer) && !is_mover(source(layer))) rest_.push_back(layer);
    for (const int layer : task.region.target_layers)
      if (!paired_target.contains(layer) && !is_mover(target(layer))) left_.push_back(layer);
    for (const auto& [value, match] : task.known) mates_.insert(match.target);
  }

  std::vector<EditProposal> search() {
    for (const LayerPair& pair : pairs_) add_inputs(pair);
    exchange();
    for (const int layer : rest_)
      if (adds_a_constant(layer))
        add_lost(layer, FaultClass::parameter);
      else if (is_plain(source(layer)) || takes_one_value(layer))
        add_lost(layer, FaultClass::graph);
    for (const int layer : left_)
      if (is_plain(target(layer)) && !is_exchanged(layer)) bypass(layer, FaultClass::graph, "operator_added");
    add_transposes();
    return std::move(proposals_);
  }

 private:
  [[nodiscard]] const NetworkLayer& source(int layer) const {
    return task_.source.network().layers[static_cast<std::size_t>(layer)];
  }
  [[nodiscard]] const NetworkLayer& target(int layer) const {
    return task_.target.network().layers[static_cast<std::size_t>(layer)];
  }

  EditProposal& add(FaultClass kind, int source_layer, int target_layer, std::string evidence) {
    EditProposal& made = proposals_.emplace_back();
    made.kind = kind;
    made.source_layer = source_layer;
    made.target_layer = target_layer;
    made.evidence.kind = std::move(evidence);
    return made;
  }

  /// Inputs whose right mates are known and that are others. All of a layer are set together, so that swapped ones are
  /// mended at once.
  void add_inputs(const LayerPair& pair) {
    const auto& wanted = source(pair.source).inputs;
    const auto& taken = target(pair.target).inputs;
    std::vector<Edit> edits;
    for (std::size_t at = 0; at < wanted.size() && at < taken.size(); ++at) {
      const auto known = wanted[at] < 0 ? task_.known.end() : task_.known.find(wanted[at]);
      if (known == task_.known.end() || taken[at] < 0 || task_.target.is_constant(taken[at])) continue;
      if (known->second.target == taken[at] || task_.target.is_behind(known->second.target, output(pair.target)))
        continue;
      if (!mates_.contains(taken[at]) || is_alias_of(taken[at], known->second.target)) continue;
      edits.emplace_back(SetInput{pair.target, at, known->second.target});
    }
    if (edits.empty()) edits = exchanged_inputs(pair);
    if (edits.empty()) return;
    EditProposal& made = add(FaultClass::graph, pair.source, pair.target, "input_exchanged");
    made.evidence.message = edits.size() == 1 ? "an input is another value" : "inputs are other values";
    made.edits = std::move(edits);
  }

  /// Two inputs in each other's place, where movers stand before them.
  [[nodiscard]] std::vector<Edit> exchanged_inputs(const LayerPair& pair) const {
    const auto& wanted = source(pair.source).inputs;
    const auto& taken = target(pair.target).inputs;
    if (wanted.size() != 2 || taken.size() != 2) return {};
    const auto is_moved_mate = [&](std::size_t at, std::size_t mate_at) {
      const auto known = wanted[mate_at] < 0 ? task_.known.end() : task_.known.find(wanted[mate_at]);
      return known != task_.known.end() && taken[at] >= 0 && !task_.target.is_constant(taken[at]) &&
             moved_from(taken[at]) == moved_from(known->second.target);
    };
    if (!is_moved_mate(0, 1) || !is_moved_mate(1, 0) || is_moved_mate(0, 0)) return {};
    return {SetInput{pair.target, 0, taken[1]}, SetInput{pair.target, 1, taken[0]}};
  }

  /// What the movers before a value of the target took.
  [[nodiscard]] int moved_from(int value) const {
    while (value >= 0 && task_.target.maker(value) >= 0 && is_mover(target(task_.target.maker(value))) &&
           !target(task_.target.maker(value)).inputs.empty())
      value = target(task_.target.maker(value)).inputs[0];
    return value;
  }

  [[nodiscard]] int output(int target_layer) const {
    const auto& outputs = target(target_layer).outputs;
    return outputs.empty() ? -1 : outputs[0];
  }

  /// Is it the other one behind nothing but movers?
  [[nodiscard]] bool is_alias_of(int value, int other) const {
    while (value != other) {
      const int maker = task_.target.maker(value);
      if (maker < 0 || !is_mover(target(maker)) || target(maker).inputs.empty()) return false;
      value = target(maker).inputs[0];
      if (value < 0) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t computed_inputs(const Ways& ways, const NetworkLayer& layer) const {
    std::size_t found = 0;
    for (const int input : layer.inputs)
      if (input >= 0 && !ways.is_constant(input)) ++found;
    return found;
  }

  [[nodiscard]] bool is_exchanged(int layer) const { return std::ranges::find(exchanged_, layer) != exchanged_.end(); }

  /// A bias, a table of places: what else it takes than its first input are constants.
  [[nodiscard]] bool takes_one_value(int layer) const {
    constexpr std::array<std::string_view, 7> types{"Add", "Sub", "Mul", "Div", "Pow", "Min", "Max"};
    const auto& inputs = source(layer).inputs;
    return std::ranges::find(types, source(layer).type) != types.end() && inputs.size() > 1 && inputs[0] >= 0 &&
           !task_.source.is_constant(inputs[0]) && computed_inputs(task_.source, source(layer)) == 1;
  }

  /// Or an operator that nobody knows: Erfc.
  [[nodiscard]] static bool may_stand_for_plain(const NetworkLayer& layer) {
    return is_plain(layer) || (layer.inputs.size() == 1 && layer.outputs.size() == 1);
  }

  /// What says the same and takes the same: ReduceMean and ReduceMax, GlobalAveragePool and GlobalMaxPool.
  [[nodiscard]] static bool are_kin(const NetworkLayer& one, const NetworkLayer& other) {
    constexpr std::array<std::string_view, 3> families{"Reduce", "Global", "Arg"};
    return std::ranges::any_of(families, [&](std::string_view family) {
      return one.type.starts_with(family) && other.type.starts_with(family);
    });
  }

  /// The first left of the source for the first left of the target with as many inputs, and so on.
  void exchange() {
    std::vector<int> left = left_;
    for (const int layer : rest_) {
      const auto inputs = computed_inputs(task_.source, source(layer));
      // Whoever has parameters cannot be set by its type alone.
      if (!source(layer).parameters.empty()) continue;
      const auto fits = [&](int other) {
        return computed_inputs(task_.target, target(other)) == inputs &&
               (inputs != 1 || (is_plain(source(layer)) && may_stand_for_plain(target(other))) ||
                are_kin(source(layer), target(other)));
      };
      const auto found = std::ranges::find_if(left, fits);
      if (found == left.end()) continue;
      const bool is_option = is_fused(*found);
      EditProposal& made =
          add(is_option ? FaultClass::hyperparameter : FaultClass::graph, layer, *found, "operator_exchanged");
      if (is_option) made.attribute = "activation";
      made.edits.emplace_back(SetType{*found, source(layer).type, hyper_in_target_of(layer)});
      made.repair.right = source(layer).type;
      made.repair.wrong = target(*found).type;
      made.evidence.message = fmt::format("{} stands in the place of {}", made.repair.wrong, made.repair.right);
      exchanged_.push_back(*found);
      left.erase(found);
    }
  }

  /// Is it an activation that the node of the layer before computes, too?
  [[nodiscard]] bool is_fused(int target_layer) const {
    const auto& inputs = target(target_layer).inputs;
    return inputs.size() == 1 && inputs[0] >= 0 &&
           !task_.target.network().values[static_cast<std::size_t>(inputs[0])].is_visible;
  }

  [[nodiscard]] Shape source_shape(int layer) const {
    const auto& inputs = source(layer).inputs;
    return inputs.empty() || inputs[0] < 0 ? Shape{} : shape_in(task_.sketches_source, inputs[0]);
  }

  /// The layer's hyper-parameters where its input lies as the target has it: an axis of channels is another one there.
  [[nodiscard]] HyperMap hyper_in_target_of(int layer) const {
    HyperMap hyper = source(layer).hyper;
    const Shape shape = source_shape(layer);
    const ValueOrder order = order_of_pair(task_, {layer, -1});
    const HyperMap canonical = canonical_hyper({task_.source.network(), layer, shape, {}});
    for (const char* name : {"axis", "axes"})
      if (const auto given = canonical.find(name); given != canonical.end())
        hyper[name] =
            hyper_in_target(name, given->second, {task_.target.network(), -1, laid_out_shape(shape, order), {}, order});
    return hyper;
  }

  /// One that is spread over the layer's input, where that lies as the target has it: a slope for each channel.
  [[nodiscard]] Tensor constant_in_target(const Tensor& constant, int layer) const {
    const ValueOrder order = order_of_pair(task_, {layer, -1});
    const std::size_t rank = source_shape(layer).size();
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

  void insert(int layer, FaultClass kind, int value, std::vector<int> users) {
    if (is_there(layer, users.empty() ? task_.target.users(value) : users)) return;
    EditProposal& made = add(kind, layer, -1, "operator_lost");
    InsertBehind edit{value, std::move(users), source(layer), constants_of(layer)};
    edit.layer.hyper = hyper_in_target_of(layer);
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

  [[nodiscard]] std::vector<int> users_in_region(int value) const {
    std::vector<int> users;
    for (const int user : task_.target.users(value))
      if (std::ranges::binary_search(task_.region.target_layers, user)) users.push_back(user);
    return users;
  }

  void bypass(int layer, FaultClass kind, const std::string& evidence) {
    const auto& inputs = target(layer).inputs;
    if (inputs.empty() || inputs[0] < 0) return;
    EditProposal& made = add(kind, -1, layer, evidence);
    made.edits.emplace_back(Bypass{layer});
    made.repair.wrong = target(layer).type;
    made.evidence.message = fmt::format("{} is one too many", target(layer).type);
  }

  void add_transposes() {
    std::vector<int> wanted, there;
    for (const int layer : task_.region.source_layers)
      if (source(layer).type == "Transpose") wanted.push_back(layer);
    for (const int layer : task_.region.target_layers)
      if (target(layer).type == "Transpose") there.push_back(layer);
    for (const int other : there)
      for (const int one : wanted) turn(one, other);
    for (const int other : there) {
      const std::size_t before = proposals_.size();
      bypass(other, FaultClass::layout, "order");
      if (proposals_.size() > before) proposals_.back().source_layer = flattened_behind(other);
    }
    if (wanted.size() > there.size())
      for (const int one : wanted) add_lost(one, FaultClass::layout);
  }

  /// The Flatten or Reshape of the source that counts what this Transpose of the target turned before; -1: none, or
  /// more than one may.
  [[nodiscard]] int flattened_behind(int transpose) const {
    std::vector<int> found;
    const int taken = target(transpose).inputs[0];
    for (const int layer : task_.region.source_layers) {
      if (!is_mover(source(layer)) || !keeps_order(source(layer)) || source(layer).inputs.empty()) continue;
      const auto mate = task_.known.find(source(layer).inputs[0]);
      if (mate == task_.known.end() || is_alias_of(taken, mate->second.target)) found.push_back(layer);
    }
    return found.size() == 1 ? found[0] : -1;
  }

  /// The target's Transpose with the source's order of axes.
  void turn(int one, int other) {
    const auto perm_of = [](const Ways& ways, const std::map<int, ValueSketch>& sketches, int layer) {
      const NetworkLayer& mover = ways.network().layers[static_cast<std::size_t>(layer)];
      const Shape shape = mover.inputs.empty() ? Shape{} : shape_in(sketches, mover.inputs[0]);
      const auto hyper = canonical_hyper({ways.network(), layer, shape, {}});
      const auto perm = hyper.find("perm");
      return perm == hyper.end() ? std::optional<Hyper>() : perm->second;
    };
    const auto right = perm_of(task_.source, task_.sketches_source, one);
    const auto wrong = perm_of(task_.target, task_.sketches_target, other);
    if (!right || !wrong || same_hyper(*right, *wrong)) return;
    EditProposal& made = add(FaultClass::layout, one, other, "order");
    made.edits.emplace_back(SetHyper{other, "perm", *right});
    made.attribute = "perm";
    made.repair.right = to_string(*right);
    made.repair.wrong = to_string(*wrong);
    made.evidence.message = fmt::format("perm is {}, should be {}", made.repair.wrong, made.repair.right);
  }

  const EvidenceTask& task_;
  const std::vector<LayerPair>& pairs_;
  std::vector<int> rest_, left_, exchanged_;
  std::set<int> mates_;
  std::vector<EditProposal> proposals_;
};

}  // namespace

std::vector<EditProposal> graph_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs) {
  return GraphSearch(task, pairs).search();
}

}  // namespace culprit
