#include "conversion/faults/graph_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>

#include "conversion/faults/lost_operator.h"

namespace culprit {
namespace {

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
    for (const int layer : rest_) append(lost_operator(task_, layer));
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

  void append(std::vector<EditProposal> proposals) { std::ranges::move(proposals, std::back_inserter(proposals_)); }

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

  /// Two inputs in each other's place, where movers stand before them, or one is a constant.
  [[nodiscard]] std::vector<Edit> exchanged_inputs(const LayerPair& pair) const {
    const auto& wanted = source(pair.source).inputs;
    const auto& taken = target(pair.target).inputs;
    if (wanted.size() != 2 || taken.size() != 2) return {};
    for (const std::size_t at : {0U, 1U})
      if (is_number(task_.source, wanted[at]) && is_number(task_.target, taken[1 - at]) && taken[at] >= 0 &&
          !task_.target.is_constant(taken[at]))
        return {SetConstant{-1, *task_.target.network().values[static_cast<std::size_t>(taken[1 - at])].constant,
                            pair.target, at},
                SetInput{pair.target, 1 - at, taken[at]}};
    const auto is_moved_mate = [&](std::size_t at, std::size_t mate_at) {
      const auto known = wanted[mate_at] < 0 ? task_.known.end() : task_.known.find(wanted[mate_at]);
      return known != task_.known.end() && taken[at] >= 0 && !task_.target.is_constant(taken[at]) &&
             moved_from(taken[at]) == moved_from(known->second.target);
    };
    if (!is_moved_mate(0, 1) || !is_moved_mate(1, 0) || is_moved_mate(0, 0)) return {};
    return {SetInput{pair.target, 0, taken[1]}, SetInput{pair.target, 1, taken[0]}};
  }

  [[nodiscard]] static bool is_number(const Ways& ways, int value) {
    return value >= 0 && ways.network().values[static_cast<std::size_t>(value)].constant.has_value();
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

  [[nodiscard]] bool is_exchanged(int layer) const { return std::ranges::find(exchanged_, layer) != exchanged_.end(); }

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
      made.edits.emplace_back(SetType{*found, source(layer).type, hyper_in_target_of(task_, layer)});
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
      for (const int one : wanted) append(lost_transpose(task_, one));
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
