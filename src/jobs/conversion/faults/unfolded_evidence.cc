#include "conversion/faults/unfolded_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/faults/right_parameter.h"
#include "conversion/faults/unfolded_parts.h"
#include "conversion/faults/wrong_numbers.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

constexpr double unfolded_within = 1e-5;

/// A folded form of the target and what of the source it is held against.
struct HeldForm {
  std::size_t source = 0, target = 0;
  AxisOrder expected;
};

class UnfoldedSearch {
 public:
  UnfoldedSearch(const EvidenceTask& task, const std::vector<Shape>& pictures)
      : task_(task), map_(task.map), pictures_(pictures) {
    for (const ParameterMatch& match : map_.parameters) {
      matched_target_.insert(match.target);
      for (const ReplacedParameter& part : map_.derived[match.source].stands_for)
        matched_source_.emplace(part.layer, part.value);
    }
    for (const DerivedTensor& source : map_.derived)
      for (const ReplacedParameter& part : source.stands_for)
        if (!source.folded.empty()) folded_source_.emplace(part.layer, part.value);
  }

  UnfoldedEvidence search() {
    std::set<int> layers;
    for (const TargetParameter& form : map_.target_parameters)
      if (is_form_inside(form)) layers.insert(form.layer);
    for (const int layer : layers) look_at(layer);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_form_inside(const TargetParameter& form) const {
    const auto& inside = task_.region.target_layers;
    return !form.is_stored() && std::ranges::all_of(form.folded, [&](const FoldedPart& part) {
      return std::ranges::binary_search(inside, part.layer);
    });
  }

  [[nodiscard]] bool is_source_inside(const DerivedTensor& source) const {
    return source.is_stored() && std::ranges::binary_search(task_.region.source_layers, source.layers.front());
  }

  void look_at(int layer) {
    const auto kernel = held_form(layer, "kernel", -1);
    const int source_layer = kernel ? map_.derived[kernel->source].layers.front() : -1;
    const auto bias = held_form(layer, "bias", source_layer);
    UnfoldedTask unfolded;
    unfolded.kernel = folded_form(kernel);
    unfolded.bias = folded_form(bias);
    unfolded.is_bias_right = !bias && is_bias_right(layer);
    if (!unfolded.kernel && !unfolded.bias) return;
    for (const auto& held : {kernel, bias}) {
      if (!held) continue;
      const DerivedTensor& one = map_.derived[held->source];
      found_.parts.emplace(one.layers.front(), one.role);
      for (std::size_t other = 0; other < map_.target_parameters.size(); ++other)
        if (shares_a_part(map_.target_parameters[held->target], map_.target_parameters[other]))
          found_.targets.insert(other);
    }
    const auto changes = unfolded_changes(unfolded);
    for (const UnfoldedChange& change : changes) {
      const auto& held = unfolded.kernel && change.part.kind != FoldedPart::Kind::summand ? kernel : bias;
      add(change, changes, map_.derived[(held ? held : kernel)->source]);
    }
  }

  /// What was matched; else the last stage, held against what is left of the source.
  [[nodiscard]] std::optional<HeldForm> held_form(int layer, const std::string& role, int source_layer) const {
    for (const ParameterMatch& match : map_.parameters) {
      const TargetParameter& form = map_.target_parameters[match.target];
      if (form.layer == layer && form.role == role && is_form_inside(form) &&
          is_source_inside(map_.derived[match.source]))
        return HeldForm{match.source, match.target, match.expected};
    }
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < map_.target_parameters.size(); ++i) {
      const TargetParameter& form = map_.target_parameters[i];
      if (form.layer == layer && form.role == role && is_form_inside(form)) last = i;
    }
    if (!last || is_part_matched(*last)) return std::nullopt;
    return nearest_left(*last, source_layer);
  }

  [[nodiscard]] bool is_part_matched(std::size_t form) const {
    return std::ranges::any_of(matched_target_, [&](std::size_t other) {
      return shares_a_part(map_.target_parameters[form], map_.target_parameters[other]);
    });
  }

  [[nodiscard]] std::optional<HeldForm> nearest_left(std::size_t target, int source_layer) const {
    const TargetParameter& form = map_.target_parameters[target];
    std::optional<HeldForm> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t source = 0; source < map_.derived.size(); ++source) {
      const DerivedTensor& one = map_.derived[source];
      const std::pair<int, int> part{one.layers.front(), one.parameters.front()};
      if (!is_source_inside(one) || one.role != form.role || matched_source_.contains(part)) continue;
      if (folded_source_.contains(part) || (source_layer >= 0 && part.first != source_layer)) continue;
      const auto expected = likely_order(one, form);
      if (!expected) continue;
      const double apart = NumberProfile(one.tensor.numbers).distance(NumberProfile(form.tensor.numbers));
      if (nearest && apart >= least) continue;
      nearest = HeldForm{source, target, *expected};
      least = apart;
    }
    return nearest;
  }

  [[nodiscard]] std::optional<FoldedForm> folded_form(const std::optional<HeldForm>& held) const {
    if (!held) return std::nullopt;
    const TargetParameter& form = map_.target_parameters[held->target];
    const auto right = right_parameter(task_, map_.derived[held->source], form, held->expected);
    if (!right) return std::nullopt;
    const auto numbers = right->as<float>();
    return FoldedForm{&form, {numbers.begin(), numbers.end()}};
  }

  /// Is a summand behind this layer, stored by itself, what the source has?
  [[nodiscard]] bool is_bias_right(int layer) const {
    return std::ranges::any_of(map_.parameters, [&](const ParameterMatch& match) {
      const TargetParameter& summand = map_.target_parameters[match.target];
      return match.wrong == 0 && summand.is_stored() && summand.role != "kernel" && is_behind(summand.layer, layer);
    });
  }

  [[nodiscard]] bool is_behind(int layer, int kernel) const {
    const auto& layers = task_.target.network().layers;
    const auto& made = layers[as_index(kernel)].outputs;
    const auto& outputs = layers[as_index(layer)].outputs;
    return std::ranges::binary_search(task_.region.target_layers, layer) && !made.empty() && !outputs.empty() &&
           task_.target.is_behind(outputs[0], made[0]);
  }

  [[nodiscard]] const TargetParameter* stored_of(const FoldedPart& part) const {
    const auto found = std::ranges::find_if(map_.target_parameters, [&](const TargetParameter& one) {
      return one.is_stored() && one.layer == part.layer && one.value == part.value;
    });
    return found == map_.target_parameters.end() ? nullptr : &*found;
  }

  /// The numbers as they should be stored; nullopt where one number stands for all slices and they would have to be
  /// different.
  [[nodiscard]] static std::optional<std::vector<float>> right_numbers(const UnfoldedChange& change,
                                                                       const TargetParameter& stored) {
    std::vector<float> right = stored.tensor.numbers;
    if (right.size() == 1 && std::ranges::any_of(change.right, [&](double one) {
          return std::abs(one - change.right[0]) > unfolded_within * std::abs(one);
        }))
      return std::nullopt;
    if (right.size() != 1 && right.size() != change.right.size()) return std::nullopt;
    for (std::size_t i = 0; i < right.size(); ++i)
      if (!std::isnan(change.right[i])) right[i] = static_cast<float>(change.right[i]);
    return right;
  }

  [[nodiscard]] EditProposal empty_proposal(const UnfoldedChange& change, const DerivedTensor& source) const {
    EditProposal made;
    made.source_layer = source.layers.front();
    made.target_layer = change.part.layer;
    made.is_alternative = change.is_alternative;
    return made;
  }

  void add(const UnfoldedChange& change, const std::vector<UnfoldedChange>& all, const DerivedTensor& source) {
    if (change.epsilon) {
      add_epsilon(change, source);
      return;
    }
    const TargetParameter* stored = stored_of(change.part);
    const auto right = stored == nullptr ? std::nullopt : right_numbers(change, *stored);
    if (!right) return;
    const auto wrong =
        wrong_numbers({stored->tensor.shape, *right, stored->tensor.numbers, {}, pictures_, unfolded_within});
    if (!wrong) return;
    const NetworkValue& value = task_.target.network().values[as_index(change.part.value)];
    const DType type = value.dtype == DType::undefined ? DType::f32 : value.dtype;
    const auto tensor = cast(Tensor::of(stored->tensor.shape, *right), type);
    if (!tensor) return;
    EditProposal made = empty_proposal(change, source);
    made.edits.emplace_back(SetConstant{change.part.value, *tensor, change.part.layer, change.part.at});
    made.kind = wrong->kind;
    made.evidence = wrong->evidence;
    made.evidence.message += words_of_others(change, all);
    made.tensor = value.name;
    made.strength = EditProposal::Strength::parameter;
    found_.proposals.push_back(std::move(made));
  }

  void add_epsilon(const UnfoldedChange& change, const DerivedTensor& source) {
    EditProposal made = empty_proposal(change, source);
    made.edits.emplace_back(SetHyper{change.part.layer, "epsilon", *change.epsilon});
    made.kind = FaultClass::hyperparameter;
    made.attribute = "epsilon";
    made.evidence.kind = "hyper";
    made.repair.right = fmt::format("{:.6g}", *change.epsilon);
    made.repair.wrong = fmt::format("{:.6g}", change.part.epsilon);
    made.evidence.message = fmt::format("epsilon is {}, should be {}", made.repair.wrong, made.repair.right);
    made.strength = EditProposal::Strength::hyper;
    found_.proposals.push_back(std::move(made));
  }

  /// What of the same kind would mend it as well: the source has only what becomes of them together.
  [[nodiscard]] std::string words_of_others(const UnfoldedChange& change,
                                            const std::vector<UnfoldedChange>& all) const {
    using Kind = FoldedPart::Kind;
    if (change.is_alternative || change.part.kind == Kind::kernel) return "";
    std::vector<std::string> names;
    for (const UnfoldedChange& other : all) {
      const bool is_of_its_kind = (change.part.kind == Kind::summand) == (other.part.kind == Kind::summand);
      if (other.is_alternative && is_of_its_kind && other.part.kind != Kind::kernel)
        names.push_back("'" + printable(task_.target.network().values[as_index(other.part.value)].name) + "'");
    }
    return names.empty() ? "" : fmt::format("; another {} would do the same", join(names, " or "));
  }

  const EvidenceTask& task_;
  const ConversionMap& map_;
  const std::vector<Shape>& pictures_;
  std::set<std::size_t> matched_target_;
  std::set<std::pair<int, int>> matched_source_, folded_source_;
  UnfoldedEvidence found_;
};

}  // namespace

UnfoldedEvidence unfolded_evidence(const EvidenceTask& task, const std::vector<Shape>& pictures) {
  return UnfoldedSearch(task, pictures).search();
}

}  // namespace culprit
