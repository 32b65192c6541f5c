#include "conversion/faults/parameter_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include "conversion/faults/right_parameter.h"
#include "conversion/faults/unfolded_evidence.h"
#include "conversion/faults/wrong_numbers.h"
#include "conversion/number_profile.h"
#include "model/rounding_ops.h"

namespace culprit {
namespace {

constexpr double stored_within = 1e-6, derived_within = 1e-5;
/// Parameters that are further apart (match_parameters.h) may be each other's in another form, or not at all.
constexpr double near_by = 5e-2;

bool contains(const std::vector<int>& layers, int layer) { return std::ranges::binary_search(layers, layer); }

/// Tells where a layer takes its bias; nullopt: this type has none.
std::optional<std::size_t> place_of_bias(std::string_view type) {
  if (is_recurrent(type)) return 3;
  constexpr std::array<std::string_view, 3> with_bias{"Conv", "ConvTranspose", "Gemm"};
  return std::ranges::find(with_bias, type) == with_bias.end() ? std::nullopt : std::optional<std::size_t>(2);
}

class ParameterSearch {
 public:
  explicit ParameterSearch(const EvidenceTask& task) : task_(task), map_(task.map) {}

  std::vector<EditProposal> search() {
    take_unfolded();
    for (const ParameterMatch& match : map_.parameters) {
      if (!is_of_region(match) || !map_.target_parameters[match.target].is_stored()) continue;
      hold(match.source, match.target, match.expected);
      if (match.distance > near_by) far_apart_.emplace(match.target, part_of(map_.derived[match.source]));
    }
    pair_what_is_left();
    add_lost_biases();
    return std::move(proposals_);
  }

 private:
  using Part = std::pair<int, std::string>;  ///< a layer of the source and a role

  [[nodiscard]] Part part_of(const DerivedTensor& source) const { return {source.layers.front(), source.role}; }

  /// Others in a stack (query, key and value) may lie outside, where what they make is right.
  [[nodiscard]] bool is_of_region(const DerivedTensor& source) const {
    const auto is_inside = [&](int layer) { return contains(task_.region.source_layers, layer); };
    return std::ranges::any_of(source.layers, is_inside) &&
           std::ranges::all_of(source.layers, [&](int layer) { return is_inside(layer) || is_right(layer); });
  }
  /// Is all that it makes found, or what becomes of it at once?
  [[nodiscard]] bool is_right(int layer, int most = 3) const {
    const auto& outputs = task_.source.network().layers[static_cast<std::size_t>(layer)].outputs;
    return most > 0 && !outputs.empty() && std::ranges::all_of(outputs, [&](int output) {
             if (output < 0 || task_.known.contains(output)) return true;
             const auto& users = task_.source.users(output);
             return !users.empty() && std::ranges::all_of(users, [&](int user) { return is_right(user, most - 1); });
           });
  }

  [[nodiscard]] bool is_of_region(const ParameterMatch& match) const {
    return is_of_region(map_.derived[match.source]) &&
           contains(task_.region.target_layers, map_.target_parameters[match.target].layer);
  }

  /// What the target has in more layers than the source.
  void take_unfolded() {
    UnfoldedEvidence unfolded = unfolded_evidence(task_, pictures());
    proposals_ = std::move(unfolded.proposals);
    held_ = std::move(unfolded.targets);
    parts_ = std::move(unfolded.parts);
  }

  /// What is the right tensor of a pair, and is it there?
  void hold(std::size_t source, std::size_t target, const AxisOrder& expected) {
    if (const auto own = own_form(source, target); own != source) {
      if (const auto order = likely_order(map_.derived[own], map_.target_parameters[target])) hold(own, target, *order);
      return;
    }
    const DerivedTensor& one = map_.derived[source];
    const TargetParameter& other = map_.target_parameters[target];
    parts_.insert(part_of(one));
    held_.insert(target);
    const auto right = right_parameter(task_, one, other, expected);
    if (!right) return;
    const auto factors = element_factors(task_, one, other, expected);
    const auto wrong = wrong_numbers({other.tensor.shape, right->as<float>(), other.tensor.numbers, factors, pictures(),
                                      one.is_stored() ? stored_within : derived_within});
    if (!wrong) return;
    EditProposal made = proposal(one, other, *right);
    made.is_alternative = !proposed_.insert(target).second;
    made.kind = wrong->kind;
    made.evidence = wrong->evidence;
    if (is_of_another_layer(source, target)) {
      made.kind = FaultClass::parameter;
      made.evidence.kind = "other_layer";
      made.evidence.message = "the numbers are those of another layer";
    }
    proposals_.push_back(std::move(made));
  }

  /// Gates in another order are right in another operator. In the source's own they must lie as the source has them,
  /// and a scale that stands where the bias belongs is no scale.
  [[nodiscard]] std::size_t own_form(std::size_t source, std::size_t target) const {
    const DerivedTensor& one = map_.derived[source];
    const TargetParameter& other = map_.target_parameters[target];
    const auto type_of = [](const Ways& ways, int layer) {
      return std::string_view(ways.network().layers[static_cast<std::size_t>(layer)].type);
    };
    const std::string_view type = type_of(task_.source, one.layers.front());
    const bool is_in_its_place = one.role == other.role || one.role.empty() || other.role.empty();
    if (type_of(task_.target, other.layer) != type || (one.is_stored() ? is_in_its_place : !is_recurrent(type)))
      return source;
    for (std::size_t own = 0; own < map_.derived.size(); ++own)
      if (map_.derived[own].is_stored() && map_.derived[own].layers == one.layers &&
          map_.derived[own].role == other.role &&
          map_.derived[own].tensor.numbers.size() == other.tensor.numbers.size())
        return own;
    return source;
  }

  [[nodiscard]] EditProposal proposal(const DerivedTensor& source, const TargetParameter& target,
                                      const Tensor& right) const {
    const NetworkValue& value = task_.target.network().values[static_cast<std::size_t>(target.value)];
    const DType type = value.dtype == DType::undefined ? DType::f32 : value.dtype;
    const auto typed = type == right.dtype() ? Result<Tensor>(right) : cast(right, type);
    EditProposal made;
    made.edits.emplace_back(SetConstant{target.value, typed ? *typed : right, target.layer, target.at});
    made.source_layer =
        *std::ranges::find_if(source.layers, [&](int layer) { return contains(task_.region.source_layers, layer); });
    if (source.layers.size() > 1) made.group = source.layers;
    made.target_layer = target.layer;
    made.tensor = value.name;
    made.strength = EditProposal::Strength::parameter;
    return made;
  }

  [[nodiscard]] bool is_of_another_layer(std::size_t source, std::size_t target) const {
    return std::ranges::any_of(map_.parameters, [&](const ParameterMatch& match) {
      return match.target == target && match.source != source && match.kind == TensorMatch::Kind::same &&
             map_.derived[match.source].layers.front() != map_.derived[source].layers.front() &&
             map_.derived[match.source].tensor.numbers.size() > 8;
    });
  }

  /// Pairs those that have as many numbers, the nearest first.
  void pair_what_is_left() {
    struct Pair {
      double apart;
      std::size_t source, target;
    };
    std::vector<Pair> pairs;
    for (std::size_t target = 0; target < map_.target_parameters.size(); ++target) {
      const TargetParameter& other = map_.target_parameters[target];
      if (!other.is_stored()) continue;
      const bool is_settled = held_.contains(target) && !far_apart_.contains(target);
      if (is_settled || other.tensor.numbers.size() < 2 || !contains(task_.region.target_layers, other.layer)) continue;
      for (std::size_t source = 0; source < map_.derived.size(); ++source)
        if (may_be_pair(map_.derived[source], other) ||
            (is_another_form(source, target) &&
             map_.derived[source].tensor.numbers.size() == other.tensor.numbers.size()))
          pairs.push_back(
              {NumberProfile(map_.derived[source].tensor.numbers).distance(NumberProfile(other.tensor.numbers)), source,
               target});
    }
    std::ranges::stable_sort(pairs, {}, &Pair::apart);
    std::map<std::size_t, Part> chosen = far_apart_;  // by target: other forms of a part may be what it should be
    for (const Pair& pair : pairs) {
      const DerivedTensor& one = map_.derived[pair.source];
      const Part part = part_of(one);
      const auto mine = chosen.find(pair.target);
      const bool is_one_of_several = mine != chosen.end() && mine->second == part;
      if (!is_one_of_several && (held_.contains(pair.target) || parts_.contains(part))) continue;
      const auto expected = likely_order(one, map_.target_parameters[pair.target]);
      if (!expected) continue;
      chosen.emplace(pair.target, part);
      hold(pair.source, pair.target, *expected);
    }
  }

  /// Is it another form, folded or not, of what the target's parameter is held against and is not near to?
  [[nodiscard]] bool is_another_form(std::size_t source, std::size_t target) const {
    const auto found = far_apart_.find(target);
    const DerivedTensor& one = map_.derived[source];
    return found != far_apart_.end() && is_of_region(one) && part_of(one) == found->second &&
           std::ranges::none_of(map_.parameters, [&](const ParameterMatch& match) {
             return match.source == source && match.target == target;
           });
  }

  [[nodiscard]] bool may_be_pair(const DerivedTensor& one, const TargetParameter& other) const {
    if (!is_of_region(one) || parts_.contains(part_of(one))) return false;
    if (one.tensor.numbers.size() != other.tensor.numbers.size()) return false;
    return one.role == other.role || one.role == "operand" || other.role == "operand";
  }

  void add_lost_biases() {
    for (const DerivedTensor& source : map_.derived) {
      if (source.role != "bias" || !is_of_region(source) || parts_.contains(part_of(source))) continue;
      const int target = holder_of(source);
      if (target < 0) continue;
      const auto& layers = task_.target.network().layers;
      const NetworkLayer& layer = layers[static_cast<std::size_t>(target)];
      const auto at = place_of_bias(layer.type);
      if (!at || (layer.inputs.size() > *at && layer.inputs[*at] >= 0)) continue;
      TargetParameter place;
      place.layer = target;
      place.axes = source.axes;
      place.tensor.shape = source.tensor.shape;
      const auto right =
          right_parameter(task_, source, place, axis_orders(source.tensor.shape, source.tensor.shape).front());
      if (!right) continue;
      parts_.insert(part_of(source));
      EditProposal made;
      made.edits.emplace_back(SetConstant{-1, *right, target, *at});
      made.kind = FaultClass::parameter;
      made.source_layer = source.layers.front();
      if (source.layers.size() > 1) made.group = source.layers;
      made.target_layer = target;
      made.tensor = "bias";
      made.evidence.kind = "elements";
      made.evidence.message = fmt::format("the bias of {} numbers is lost", source.tensor.numbers.size());
      made.strength = EditProposal::Strength::parameter;
      proposals_.push_back(std::move(made));
    }
  }

  /// The target's layer in the region that holds the kernel of the same layer; -1: none.
  [[nodiscard]] int holder_of(const DerivedTensor& bias) const {
    for (const std::size_t target : held_) {
      const TargetParameter& other = map_.target_parameters[target];
      if (other.role != "kernel") continue;
      for (const ParameterMatch& match : map_.parameters)
        if (match.target == target && map_.derived[match.source].layers == bias.layers) return other.layer;
    }
    return -1;
  }

  /// What Flatten and Reshape take in the region, without the batch.
  [[nodiscard]] std::vector<Shape> pictures() const {
    std::vector<Shape> found;
    for (const int layer : task_.region.source_layers) {
      const NetworkLayer& mover = task_.source.network().layers[static_cast<std::size_t>(layer)];
      if (!keeps_order(mover) || mover.inputs.empty()) continue;
      const auto sketch = task_.sketches_source.find(mover.inputs[0]);
      if (sketch == task_.sketches_source.end() || sketch->second.by_sample.empty()) continue;
      const Shape& shape = sketch->second.by_sample.front().shape;
      if (shape.size() > 2) found.emplace_back(shape.begin() + 1, shape.end());
    }
    return found;
  }

  const EvidenceTask& task_;
  const ConversionMap& map_;
  std::set<Part> parts_;
  std::set<std::size_t> held_, proposed_;
  std::map<std::size_t, Part> far_apart_;  // by target: what it is held against, though nothing is near
  std::vector<EditProposal> proposals_;
};

}  // namespace

std::vector<EditProposal> parameter_evidence(const EvidenceTask& task) { return ParameterSearch(task).search(); }

}  // namespace culprit
