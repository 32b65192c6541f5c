#include "conversion/tell_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "conversion/faults/classify.h"
#include "conversion/faults/mendable_faults.h"
#include "conversion/keep/keep_in_float.h"
#include "conversion/runs/bound_output.h"

namespace culprit {
namespace {

std::string_view word_of(FoundBy by) {
  switch (by) {
    case FoundBy::binding:
      return "binding";
    case FoundBy::numbers:
      return "numbers";
    case FoundBy::fed:
      break;
  }
  return "fed";
}

std::string_view word_of(TensorMatch::Kind kind) {
  switch (kind) {
    case TensorMatch::Kind::same:
      return "same";
    case TensorMatch::Kind::changed:
      return "changed";
    case TensorMatch::Kind::scrambled:
      break;
  }
  return "scrambled";
}

/// nullopt: nobody asked, or the target was given the very value.
std::optional<double> floor_of(const ValueMatch& match) {
  return match.is_near || match.by == FoundBy::fed ? std::nullopt : std::optional(match.measurement.floor);
}

class Rows {
 public:
  Rows(const ConversionMap& map, const WalkResult& walked, const std::vector<ConversionFault>& faults,
       const BothSides& sides, Elements& target)
      : map_(map),
        walked_(walked),
        faults_(faults),
        sides_(sides),
        target_(target),
        plain_(sides.source.options.floors.tolerance) {}

  Result<std::vector<LayerRow>> make() {
    std::vector<LayerRow> rows;
    for (const LayerMatch& layer : map_.layers) {
      const int output = output_of(layer.source);
      if (output < 0) continue;
      auto row = row_of(layer, output);
      if (!row) return tl::unexpected(row.error());
      rows.push_back(std::move(*row));
    }
    return rows;
  }

 private:
  [[nodiscard]] int output_of(int layer) const {
    for (const int output : sides_.source.network().layers[as_index(layer)].outputs)
      if (output >= 0 && !sides_.source.ways.is_constant(output)) return output;
    return -1;
  }

  Result<LayerRow> row_of(const LayerMatch& layer, int output) {
    LayerRow row;
    row.source = layer_ref(sides_.source.network(), layer.source);
    row.found = layer.found;
    for (const std::size_t parameter : layer.parameters)
      row.parameter_difference =
          std::max(row.parameter_difference.value_or(0), map_.parameters[parameter].mean_difference);
    const auto at_last = map_.values.find(output), at_first = walked_.as_it_came.find(output);
    if (at_last != map_.values.end()) {
      row.target = layer_ref(sides_.target.network(), sides_.target.ways.maker(at_last->second.target));
      row.floor = floor_of(at_last->second);
      if (at_last->second.by != FoundBy::fed) row.error_alone = at_last->second.measurement.max_abs;
    }
    if (at_first != walked_.as_it_came.end()) {
      row.error = at_first->second.measurement.max_abs;
    } else if (at_last != map_.values.end()) {
      auto error = error_as_it_came(at_last->second);
      if (!error) return tl::unexpected(error.error());
      row.error = *error;
    }
    for (const ConversionFault& fault : faults_) {
      if (fault.source.number != layer.source) continue;
      if (row.fault.empty()) row.fault = fault.id;
      // The map holds them against each other in the order that fits best, which may be the fault.
      if (const auto known = fault.evidence.number("mean_difference"))
        row.parameter_difference = std::max(row.parameter_difference.value_or(0), *known);
    }
    for (const WalkStep& step : walked_.steps)
      if (step.region.source == output)
        for (const ConversionFault& fault : faults_)
          if (fault.id == row.fault) row.error_alone = fault.repair.error_before;
    return row;
  }

  /// How far the target's value was from the source's before anything was fed.
  Result<std::optional<double>> error_as_it_came(const ValueMatch& match) {
    const auto one = sides_.source_on_map.of(match.source);
    if (!one) return tl::unexpected(one.error());
    const auto other = target_.of(match.target);
    if (!other) return tl::unexpected(other.error());
    if (one->empty() || other->empty()) return std::nullopt;
    const auto judged = plain_.judge(pair_of(match, *one, *other));
    if (!judged) return tl::unexpected(judged.error());
    return judged->measurement.max_abs;
  }

  const ConversionMap& map_;
  const WalkResult& walked_;
  const std::vector<ConversionFault>& faults_;
  const BothSides& sides_;
  Elements& target_;
  PlainJudge plain_;
};

}  // namespace

void tell_status(bool is_output_wrong, const std::optional<CoarseVerdict>& coarse, const std::string& weak,
                 Diagnosis& found) {
  const bool is_faulty = is_output_wrong || !found.faults.empty();
  found.status = is_faulty ? DiagnosisStatus::faulty : DiagnosisStatus::same;
  if (coarse && found.faults.empty()) {
    found.status = coarse->is_within ? DiagnosisStatus::same : DiagnosisStatus::not_judged;
    found.message = coarse->message;
    if (found.keep) found.message += "; " + to_string(*found.keep);
  } else if (is_faulty) {
    const auto confirmed = std::ranges::count(found.faults, true, &ConversionFault::confirmed);
    found.message =
        fmt::format("{} {}, {} confirmed{}", found.faults.size(), found.faults.size() == 1 ? "fault" : "faults",
                    confirmed, coarse ? "; " + coarse->message : "");
  }
  if (found.status == DiagnosisStatus::same && !weak.empty()) {
    found.status = DiagnosisStatus::weak_data;
    found.message = weak;
  }
}

bool take_feeding(const FeedingVerdict& fed, bool is_right_as_source, Diagnosis& found) {
  found.feeding = fed.record;
  if (!fed.data_refused.empty())
    found.warnings.push_back({"target_data", "the target does not run on its own data: " + fed.data_refused});
  if (!fed.data_refused.empty() && is_right_as_source) {
    found.status = DiagnosisStatus::cannot_judge;
    found.message = found.warnings.back().message;
    return true;
  }
  if (fed.as_fed) {
    found.outputs = fed.as_fed->told;
    found.samples = fed.as_fed->samples;
  }
  if (fed.fault) {
    std::vector<MendableFault> faults{{*fed.fault, {}}};
    number_faults(faults);
    found.faults = without_edits(faults);
    tell_status(true, std::nullopt, "", found);
    return true;
  }
  if (!fed.as_fed || !fed.as_fed->wrong.empty() || is_right_as_source) return false;
  tell_status(false, std::nullopt, fed.as_fed->weak, found);
  if (found.message.empty()) found.message = "the target is right on its own data, and would be wrong on the source's";
  return true;
}

MapRecord map_record(const ConversionMap& map, const BothSides& sides) {
  MapRecord record{map.counts, {}};
  record.values.reserve(map.values.size());
  for (const int value : sides.source.ways.values()) {
    const auto match = map.values.find(value);
    if (match == map.values.end()) continue;
    record.values.push_back({name_in(sides.source, value), name_in(sides.target, match->second.target),
                             order_in_words(match->second, sides), std::string(word_of(match->second.by)),
                             match->second.measurement.max_abs, floor_of(match->second)});
  }
  return record;
}

std::vector<MappedParameter> mapped_parameters(const ConversionMap& map, const BothSides& sides) {
  std::vector<MappedParameter> told;
  told.reserve(map.parameters.size());
  for (const ParameterMatch& match : map.parameters) {
    const DerivedTensor& one = map.derived[match.source];
    const TargetParameter& other = map.target_parameters[match.target];
    MappedParameter& made = told.emplace_back();
    made.layer = layer_ref(sides.source.network(), one.layers.empty() ? -1 : one.layers.front());
    made.tensor = one.is_stored() ? one.tensor.name : one.how;
    made.target = other.value < 0 ? other.tensor.name : name_in(sides.target, other.value);
    made.kind = word_of(match.kind);
    made.order = to_string(match.order, one.tensor.shape, other.tensor.shape);
    made.mean_difference = match.mean_difference;
    made.distance = match.distance;
    made.wrong = match.wrong;
  }
  return told;
}

Result<std::vector<LayerRow>> layer_rows(const ConversionMap& map, const WalkResult& walked,
                                         const std::vector<ConversionFault>& faults, const BothSides& sides,
                                         Elements& target_as_it_came) {
  return Rows(map, walked, faults, sides, target_as_it_came).make();
}

}  // namespace culprit
