#include "conversion/mended_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/as_index.h"
#include "conversion/faults/classify.h"
#include "conversion/faults/wrong_numbers.h"
#include "conversion/runs/match_target.h"
#include "tensor/tensor.h"

namespace culprit {
MendedTarget::MendedTarget(const MendTask& task, RoundedWeights rounded)
    : task_(task),
      rounded_(std::move(rounded)),
      side_(mended_side(task.sides.target.side, rounded_.right)),
      target_(*side_, task.executor, task.folder, task.sides.target.options) {
  target_.samples = task.sides.target.samples;
  target_.map_samples = task.sides.target.map_samples;
  sides_.emplace(BothSides{task.sides.source, target_, task.sides.source_on_map, task.sides.source_on_all});
}

Result<std::unique_ptr<MendedTarget>> MendedTarget::open(const MendTask& task, const ConversionMap& map,
                                                         RoundedWeights rounded) {
  std::unique_ptr<MendedTarget> made(new MendedTarget(task, std::move(rounded)));
  made->remember(map);
  const auto has_run = made->run();
  if (!has_run) return tl::unexpected(has_run.error());
  if (!*has_run) return nullptr;
  if (auto ok = made->target_.sketch_inputs(); !ok) return tl::unexpected(ok.error());
  if (const auto read = made->target_.read_shown(); !read) return tl::unexpected(read.error());
  return made;
}

void MendedTarget::remember(const ConversionMap& map) {
  const Network& source = task_.sides.source.network();
  for (const int layer : rounded_.layers) {
    double most = 0;
    for (const std::size_t match : rounded_.matches) {
      const ParameterMatch& pair = map.parameters[match];
      if (std::ranges::count(map.derived[pair.source].layers, layer) > 0) most = std::max(most, pair.mean_difference);
    }
    layers_.push_back({layer_ref(source, layer), most});
  }
  const TargetParameter& first = map.target_parameters[map.parameters[rounded_.matches.front()].target];
  first_target_ = layer_ref(target_.network(), first.layer);
  const auto right = cast(rounded_.right.front().tensor, DType::f32);
  if (!right) return;
  if (auto wrong = wrong_numbers({first.tensor.shape, right->as<float>(), first.tensor.numbers, {}, {}}))
    first_wrong_ = std::move(wrong->evidence.elements);
}

Result<bool> MendedTarget::run() {
  auto ran = target_.runs.run({}, target_.samples);
  if (!ran) return tl::unexpected(ran.error());
  if (!ran->has_run) return false;
  auto judged = judge_all_outputs(*sides_, task_.outputs, outputs_of_run(target_.network(), ran->outputs),
                                  target_.draws(true), ran->outputs.size(), task_.is_strict);
  if (!judged) return tl::unexpected(judged.error());
  outputs_ = std::move(*judged);
  return true;
}

Result<void> MendedTarget::match_again(ConversionMap& map) { return match_target_parameters(target_, map); }

bool MendedTarget::gives_right_values(const ConversionMap& map, const BlamedLayers& blamed) const {
  const Ways& source = task_.sides.source.ways;
  std::set<int> elsewhere(rounded_.layers.begin(), rounded_.layers.end());  // folded into what comes behind them
  if (std::ranges::all_of(blamed.faults, [](const MendableFault& one) { return one.fault.confirmed; }))
    for (const WalkStep& step : blamed.walked.steps)
      elsewhere.insert(step.region.source_layers.begin(), step.region.source_layers.end());
  return std::ranges::all_of(rounded_.layers, [&](int layer) {
    const auto& outputs = source.network().layers[as_index(layer)].outputs;
    return std::ranges::all_of(outputs, [&](int value) {
      if (value < 0 || map.values.contains(value)) return true;
      const auto& users = source.users(value);
      return !users.empty() && std::ranges::all_of(users, [&](int user) { return elsewhere.contains(user); });
    });
  });
}

MendableFault MendedTarget::fault(const ConversionMap& map, const BlamedLayers& blamed) const {
  ConversionFault fault;
  fault.kind = FaultClass::precision;
  fault.source = layers_.front().layer;
  for (const RoundedLayer& one : layers_) fault.group.push_back(one.layer);
  fault.target.node = first_target_;
  fault.evidence.kind = "rounding";
  fault.evidence.numbers = {{"weights", static_cast<double>(rounded_.weights)},
                            {"rounded", static_cast<double>(rounded_.rounded)},
                            {"mean_difference", rounded_.mean_difference}};
  fault.evidence.elements = first_wrong_;
  fault.evidence.message = fmt::format("{} of {} weights of the network are rounded: {}", rounded_.rounded,
                                       rounded_.weights, to_string(rounded_.grid));
  fault.repair = {
      "the weights of the source in their place", "", "", task_.error, outputs_.error(), RepairRecord::Of::outputs};
  fault.confirmed = outputs_.wrong.empty() || gives_right_values(map, blamed);
  if (!fault.confirmed) fault.not_confirmed_because = "with the right weights, a layer still gives other values";
  return {std::move(fault), {rounded_.right.begin(), rounded_.right.end()}};
}

void MendedTarget::mark(std::vector<LayerRow>& rows, const std::vector<ConversionFault>& faults) const {
  const auto own = std::ranges::find_if(faults, [&](const ConversionFault& fault) {
    return fault.kind == FaultClass::precision && fault.source == layers_.front().layer &&
           fault.group.size() == layers_.size();
  });
  for (LayerRow& row : rows) {
    const auto layer = std::ranges::find(layers_, row.source, &RoundedLayer::layer);
    if (layer == layers_.end()) continue;
    row.parameter_difference = std::max(row.parameter_difference.value_or(0), layer->difference);
    if (row.fault.empty() && own != faults.end()) row.fault = own->id;
  }
}

}  // namespace culprit
