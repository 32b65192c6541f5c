#include "conversion/coarse/quantization_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/coarse/grid_mistakes.h"
#include "conversion/coarse/grid_partners.h"
#include "conversion/coarse/grid_repairs.h"
#include "conversion/coarse/value_mistakes.h"
#include "conversion/coarse/weight_grids.h"
#include "conversion/faults/classify.h"

namespace culprit {
namespace {

constexpr double matters = 0.98;  // a repair that leaves more of the error than that mends nothing
constexpr std::size_t most_proofs = 16;

/// The worst output, in times of what honest rounding costs it, and what it is off.
struct WorstOutput {
  double times = 0, error = 0;
};

class Blaming {
 public:
  explicit Blaming(const QuantizationTask& task) : task_(task), target_(task.sides.target.network()) {}

  Result<void> blame(std::vector<MendableFault>& faults) {
    suspect_weights();
    if (auto ok = suspect_values(); !ok) return ok;
    if (!suspected_.empty())
      if (auto ok = prove(); !ok) return ok;
    if (suspected_.empty()) suspected_ = std::move(not_provable_);
    for (MendableFault& one : suspected_) faults.push_back(std::move(one));
    return {};
  }

 private:
  void suspect_weights() {
    const auto grids = weight_grids(target_, task_.map.target_parameters);
    const auto right = right_numbers(task_.map, grids);
    std::vector<int> layers;
    for (const bool of_biases : {false, true})
      for (std::size_t i = 0; i < grids.size(); ++i) {
        if (!right[i] || grids[i].is_bias() != of_biases) continue;
        // The bias of QLinearConv has the scale of its kernel, and is mended with it.
        const bool is_blamed_already = std::ranges::find(layers, grids[i].layer) != layers.end();
        if (of_biases && grids[i].scale_inputs && is_blamed_already) continue;
        const auto mistake = grid_mistake(grids[i], right[i]->numbers);
        if (!mistake || (task_.verdict.is_within && !mistake->is_other_grid)) continue;
        layers.push_back(grids[i].layer);
        suspected_.push_back(
            {fault_of(grids[i], *right[i], *mistake), repairs_of({target_, grids, right, i, mistake->honest_grid})});
      }
  }

  /// Steps that values go through, against what the source gives there.
  Result<void> suspect_values() {
    if (task_.verdict.is_within) return {};
    for (const auto& [value, grid] : target_grids(task_.sides.source.ways, task_.sides.target.ways, task_.map).values) {
      const auto samples = numbers_of(value);
      if (!samples) return tl::unexpected(samples.error());
      std::vector<float> numbers;
      for (const Tensor& sample : *samples)
        if (const auto real = cast(sample, DType::f32))
          numbers.insert(numbers.end(), real->as<float>().begin(), real->as<float>().end());
      const auto mistake = value_mistake(grid, numbers);
      if (!mistake) continue;
      auto edits = steps_of_value(task_.sides.target.ways, grid.target, mistake->honest);
      MendableFault fault{fault_of(value, grid, *mistake), std::move(edits)};
      if (fault.edits.empty()) fault.fault.not_confirmed_because = "the steps of this operator cannot be changed";
      (fault.edits.empty() ? not_provable_ : suspected_).push_back(std::move(fault));
    }
    return {};
  }

  Result<std::vector<Tensor>> numbers_of(int value) {
    const ReadSide& source = task_.sides.source;
    const auto& inputs = source.network().inputs;
    const auto input = std::ranges::find(inputs, value);
    if (input == inputs.end()) return task_.sides.source_on_all.of(value);
    std::vector<Tensor> given;
    for (const auto& sample : source.samples) {
      const auto all = inputs_in(source, sample);
      if (!all) return tl::unexpected(all.error());
      given.push_back((*all)[static_cast<std::size_t>(input - inputs.begin())]);
    }
    return given;
  }

  [[nodiscard]] ConversionFault fault_of(int value, const ValueGrid& grid, const ValueMistake& mistake) const {
    const NetworkValue &one = task_.sides.source.network().values[as_index(value)],
                       &other = target_.values[as_index(grid.target)];
    ConversionFault fault;
    fault.kind = FaultClass::quantization;
    fault.source =
        one.made_by < 0 ? LayerRef{one.name, "input", -1} : layer_ref(task_.sides.source.network(), one.made_by);
    fault.target.node = other.made_by < 0 ? LayerRef{other.name, "input", -1} : layer_ref(target_, other.made_by);
    fault.target.tensor = other.name;
    fault.target.attribute = mistake.attribute;
    fault.evidence.kind = "quantization";
    fault.evidence.numbers = {
        {"step", grid.step}, {"honest_step", mistake.honest.step}, {"clipped_share", mistake.clipped}};
    fault.evidence.message = mistake.message;
    fault.repair.of = RepairRecord::Of::outputs;
    fault.repair.edit = fmt::format("the steps of '{}' := {:.4g}, from {:.4g} to {:.4g}", printable(other.name, 60),
                                    mistake.honest.step, mistake.honest.low, mistake.honest.high);
    return fault;
  }

  [[nodiscard]] ConversionFault fault_of(const WeightGrid& grid, const RightNumbers& right,
                                         const GridMistake& mistake) const {
    const DerivedTensor& one = task_.map.derived[right.source];
    const Network& source = task_.sides.source.network();
    const std::string& tensor = target_.values[as_index(grid.stored)].name;
    ConversionFault fault;
    fault.kind = FaultClass::quantization;
    if (!one.layers.empty()) fault.source = layer_ref(source, one.layers.front());
    if (one.layers.size() > 1)
      for (const int layer : one.layers) fault.group.push_back(layer_ref(source, layer));
    fault.target = {layer_ref(target_, grid.layer), tensor, mistake.attribute};
    fault.evidence.kind = "quantization";
    fault.evidence.numbers = {
        {"error", mistake.found.rms}, {"honest_error", mistake.honest.rms}, {"clipped_share", mistake.found.clipped}};
    fault.evidence.message = mistake.message;
    fault.repair.of = RepairRecord::Of::outputs;
    fault.repair.edit = fmt::format("'{}' := the right numbers on an honest grid", printable(tensor, 60));
    return fault;
  }

  [[nodiscard]] WorstOutput worst(const OutputErrors& errors) const {
    WorstOutput worst;
    for (const auto& [output, error] : errors) {
      const auto honest = task_.verdict.honest.find(output);
      const double times = honest == task_.verdict.honest.end() ? error : error / std::max(honest->second, 1e-30);
      if (times >= worst.times) worst = {times, error};
    }
    return worst;
  }

  /// Of the target with all repairs but one. nullopt: it does not run so.
  Result<std::optional<OutputErrors>> mended_but(std::size_t left_out) {
    std::vector<Edit> edits;
    for (std::size_t i = 0; i < suspected_.size(); ++i)
      if (i != left_out) edits.insert(edits.end(), suspected_[i].edits.begin(), suspected_[i].edits.end());
    auto errors = errors_of_target(task_.sides, task_.wrong_outputs, edits);
    if (!errors) return tl::unexpected(errors.error());
    return errors->empty() ? std::nullopt : std::optional(std::move(*errors));
  }

  void not_confirmed(const std::string& why) {
    for (MendableFault& one : suspected_) one.fault.not_confirmed_because = why;
  }

  Result<void> prove() {
    const WorstOutput before = worst(task_.verdict.found);
    const auto all = mended_but(suspected_.size());
    if (!all) return tl::unexpected(all.error());
    if (!*all) {
      drop_where_within();
      not_confirmed("the target does not run with honest numbers in their place");
      return {};
    }
    const WorstOutput after = worst(**all);
    const bool is_within = is_within_honest(**all, task_.verdict.honest);
    if (target_.format == "tflite" && !is_within) {
      drop_where_within();
      not_confirmed("this format's scales cannot be changed");
      return {};
    }
    if (!(after.times <= matters * before.times)) {
      suspected_.clear();
      return {};
    }
    // Where something else is wrong, too, leaving one out tells nothing.
    if (is_within) {
      if (auto ok = prove_each(before, after); !ok) return ok;
    }
    for (MendableFault& one : suspected_) {
      if (is_within) continue;
      one.fault.repair.error_before = before.error;
      one.fault.repair.error_after = after.error;
    }
    for (MendableFault& one : suspected_) one.fault.confirmed = is_within && one.fault.not_confirmed_because.empty();
    if (!is_within)
      not_confirmed(
          fmt::format("with honest numbers an output is still off by {:.2g} (rms), {:.3g} times what honest "
                      "rounding costs",
                      after.error, after.times));
    return {};
  }

  /// A target that is as near as an honest one is not blamed without proof.
  void drop_where_within() {
    if (task_.verdict.is_within) suspected_.clear();
  }

  /// What makes nothing worse is not blamed.
  Result<void> prove_each(const WorstOutput& before, const WorstOutput& after) {
    std::vector<MendableFault> kept;
    for (std::size_t i = 0; i < suspected_.size(); ++i) {
      WorstOutput without = before;
      if (suspected_.size() > 1 && i < most_proofs) {
        const auto errors = mended_but(i);
        if (!errors) return tl::unexpected(errors.error());
        if (*errors) without = worst(**errors);
      }
      if (after.times > matters * without.times) continue;
      MendableFault one = suspected_[i];
      one.fault.repair.error_before = without.error;
      one.fault.repair.error_after = after.error;
      if (i >= most_proofs) one.fault.not_confirmed_because = "there are too many to prove each by itself";
      kept.push_back(std::move(one));
    }
    suspected_ = std::move(kept);
    return {};
  }

  const QuantizationTask& task_;
  const Network& target_;
  std::vector<MendableFault> suspected_;
  std::vector<MendableFault> not_provable_;  // told where nothing that can be proven explains the error
};

}  // namespace

Result<void> add_quantization_faults(const QuantizationTask& task, std::vector<MendableFault>& faults) {
  if (task.wrong_outputs.empty()) return {};
  return Blaming(task).blame(faults);
}

}  // namespace culprit
