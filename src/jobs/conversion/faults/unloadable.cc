#include "conversion/faults/unloadable.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/faults/classify.h"

namespace culprit {
namespace {

bool has_negative_pads(const NetworkLayer& layer) {
  const auto pads = layer.hyper.find("pads");
  if (pads == layer.hyper.end()) return false;
  const auto* list = std::get_if<std::vector<std::int64_t>>(&pads->second);
  return list != nullptr && layer.type != "Pad" && std::ranges::any_of(*list, [](std::int64_t pad) { return pad < 0; });
}

/// A region that is told as wrong, and of which no run gave anything.
bool never_ran(const ConversionFault& fault) {
  return !fault.confirmed && fault.evidence.kind == "region" && fault.repair.error_before == 0;
}

}  // namespace

Result<std::optional<FirstBadLayer>> first_bad_layer(std::size_t layers, const TryPrefix& attempt) {
  if (layers == 0) return std::nullopt;
  auto last = attempt(layers);
  if (!last) return tl::unexpected(last.error());
  if (last->runs) return std::nullopt;
  std::size_t runs = 0, fails = layers;  // so many run, and so many do not
  while (fails - runs > 1) {
    const std::size_t middle = runs + (fails - runs) / 2;
    auto outcome = attempt(middle);
    if (!outcome) return tl::unexpected(outcome.error());
    if (outcome->runs) {
      runs = middle;
    } else {
      fails = middle;
      last = std::move(outcome);
    }
  }
  return FirstBadLayer{static_cast<int>(fails - 1), last->loads, last->why};
}

ConversionFault unloadable_fault(const Network& target, const FirstBadLayer& bad) {
  ConversionFault fault;
  fault.kind = FaultClass::graph;
  fault.target.node = layer_ref(target, bad.layer);
  fault.evidence.kind = bad.loads ? "does_not_run" : "does_not_load";
  const NetworkLayer* layer = bad.layer < 0 ? nullptr : &target.layers[as_index(bad.layer)];
  if (layer != nullptr && has_negative_pads(*layer)) {
    fault.kind = FaultClass::hyperparameter;
    fault.target.attribute = "pads";
    fault.repair.wrong = to_string(layer->hyper.at("pads"));
    fault.evidence.message = fmt::format("pads of {} are negative: {}", layer->type, fault.repair.wrong);
  } else if (layer != nullptr) {
    fault.evidence.message = fmt::format("this {} is the first layer that does not {}: {}", layer->type,
                                         bad.loads ? "run" : "load", bad.why);
  } else {
    fault.evidence.message =
        fmt::format("no layer that does not {} was found: {}", bad.loads ? "run" : "load", bad.why);
  }
  fault.not_confirmed_because = "what does not run cannot be compared";
  return fault;
}

void note_not_compared(Diagnosis& found) {
  for (BoundOutput& output : found.outputs)
    if (output.measurement.elements == 0) output.measurement.note = "not compared: the target does not run";
}

std::string tell_where_it_stops(Diagnosis& found, std::vector<MendableFault>& faults, const Network& target,
                                const FirstBadLayer& bad) {
  note_not_compared(found);
  std::erase_if(faults, [](const MendableFault& one) { return never_ran(one.fault); });
  const auto explains = [&](const MendableFault& one) {
    const ConversionFault& fault = one.fault;
    return fault.confirmed && (bad.layer < 0 || fault.target.node.number <= bad.layer);
  };
  const std::string how = bad.loads ? "the target does not run" : "the target does not load";
  if (std::ranges::any_of(faults, explains)) {
    found.warnings.push_back({"target_stops", how + ": " + bad.why});
    return "";
  }
  faults.push_back({unloadable_fault(target, bad), {}});
  const NetworkLayer* layer = bad.layer < 0 ? nullptr : &target.layers[as_index(bad.layer)];
  const std::string where =
      layer == nullptr ? "" : fmt::format(": {} '{}'", printable(layer->type), printable(layer->name, 60));
  return how + where + ": " + bad.why;
}

}  // namespace culprit
