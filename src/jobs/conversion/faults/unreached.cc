#include "conversion/faults/unreached.h"

#include <algorithm>
#include <cmath>

#include "base/as_index.h"
#include "conversion/faults/graph_evidence.h"

namespace culprit {
namespace {

constexpr double apart_from = 1e-2, changed_from = 1e-4;

class UnreachedSearch {
 public:
  UnreachedSearch(const UnreachedTask& task, const TryMadeUp& attempt) : task_(task), attempt_(attempt) {}

  Result<std::vector<MendableFault>> search() {
    for (const int value : task_.source.values()) {
      if (tries_ >= task_.most) break;
      const auto match = task_.map.values.find(value);
      if (match == task_.map.values.end() || match->second.is_alias || task_.source.maker(value) < 0) continue;
      if (is_mover(task_.source.network().layers[as_index(task_.source.maker(value))])) continue;
      if (auto ok = look_at(match->second); !ok) return tl::unexpected(ok.error());
    }
    return std::move(found_);
  }

 private:
  Result<void> look_at(const ValueMatch& match) {
    ValueMatches known = task_.map.values;
    known.erase(match.source);
    const FaultRegion region = region_before(task_.source, task_.target, known, match);
    if (region.target_layers.empty() ||
        std::ranges::any_of(region.source_layers, [&](int layer) { return task_.blamed.contains(layer); }))
      return {};
    for (const EditProposal& proposal : proposals_of(region, known)) {
      if (tries_ >= task_.most) break;
      ++tries_;
      const auto outcome = attempt_(region, proposal.edits);
      if (!outcome) return tl::unexpected(outcome.error());
      if (!*outcome || !((*outcome)->apart > apart_from) || !((*outcome)->apart_with_edits < changed_from)) continue;
      found_.push_back({fault_of(proposal, **outcome), proposal.edits});
      for (const int layer : region.source_layers) blamed_.insert(layer);
    }
    return {};
  }

  /// What is static: no operator that may be lost or added, for the region's value is right on all samples.
  [[nodiscard]] std::vector<EditProposal> proposals_of(const FaultRegion& region, const ValueMatches& known) const {
    const EvidenceTask evidence{task_.source,          task_.target,         task_.map, known, region,
                                task_.sketches_source, task_.sketches_target};
    std::vector<EditProposal> proposals;
    for (EditProposal& proposal : parameter_evidence(evidence))
      if (is_far_enough(proposal)) proposals.push_back(std::move(proposal));
    const auto pairs = paired_layers(evidence);
    for (EditProposal& proposal : hyper_evidence(evidence, pairs)) proposals.push_back(std::move(proposal));
    auto graph = graph_evidence(evidence, pairs);
    std::erase_if(graph, [](const EditProposal& proposal) { return proposal.evidence.kind != "operator_exchanged"; });
    if (graph.size() == 1) proposals.push_back(std::move(graph.front()));
    std::erase_if(proposals, [&](const EditProposal& proposal) {
      return blamed_.contains(proposal.source_layer) || task_.blamed.contains(proposal.source_layer);
    });
    return proposals;
  }

  [[nodiscard]] bool is_far_enough(const EditProposal& proposal) const {
    const auto mean = proposal.evidence.number("mean_difference");
    if (!mean || proposal.edits.empty()) return true;
    const auto* edit = std::get_if<SetConstant>(&proposal.edits.front());
    if (edit == nullptr || edit->tensor.count() == 0) return true;
    double size = 0;
    for (std::int64_t i = 0; i < edit->tensor.count(); ++i) size += std::abs(edit->tensor.number(i));
    return *mean > changed_from * size / static_cast<double>(edit->tensor.count());
  }

  [[nodiscard]] ConversionFault fault_of(const EditProposal& proposal, const MadeUpOutcome& outcome) const {
    ConversionFault fault;
    fault.kind = proposal.kind;
    fault.source = layer_ref(task_.source.network(), proposal.source_layer);
    for (const int layer : proposal.group) fault.group.push_back(layer_ref(task_.source.network(), layer));
    fault.target = {layer_ref(task_.target.network(), proposal.target_layer), proposal.tensor, proposal.attribute};
    fault.evidence = proposal.evidence;
    fault.evidence.message += "; no sample of yours comes there";
    fault.repair = proposal.repair;
    for (const Edit& edit : proposal.edits)
      fault.repair.edit += (fault.repair.edit.empty() ? "" : "; ") + to_string(edit, task_.target.network());
    fault.repair.error_before = outcome.apart;
    fault.repair.error_after = outcome.apart_with_edits;
    fault.confirmed = true;
    fault.is_reached = false;
    return fault;
  }

  const UnreachedTask& task_;
  const TryMadeUp& attempt_;
  int tries_ = 0;
  std::set<int> blamed_;
  std::vector<MendableFault> found_;
};

}  // namespace

Result<std::vector<MendableFault>> unreached_faults(const UnreachedTask& task, const TryMadeUp& attempt) {
  return UnreachedSearch(task, attempt).search();
}

}  // namespace culprit
