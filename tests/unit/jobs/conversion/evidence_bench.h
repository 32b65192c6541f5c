#pragma once
// Evidence of two networks that are written in ONNX's text syntax.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion/faults/graph_evidence.h"
#include "conversion/map/match_parameters.h"
#include "side_bench.h"

namespace culprit {

/// Two networks; the whole of both is the region, and inputs are bound in their order.
class EvidenceBench : public ::testing::Test {
 protected:
  void take(const std::string& source_graph, const std::string& target_graph) {
    source = network_of(source_graph);
    target = network_of(target_graph);
    map.derived = derived_tensors(source);
    map.target_parameters = parameters_of(target);
    map.parameters = match_parameters(map.derived, map.target_parameters);
    source_ways.emplace(source);
    target_ways.emplace(target);
    for (std::size_t i = 0; i < source.inputs.size(); ++i)
      known[source.inputs[i]] = {source.inputs[i], target.inputs[i], {}, FoundBy::binding};
    region = region_before(*source_ways, *target_ways, known, {source.outputs[0], target.outputs[0], {}});
  }

  [[nodiscard]] EvidenceTask task() {
    return {*source_ways, *target_ways, map, known, region, sketches_source, sketches_target};
  }

  static std::vector<std::string> words(const std::vector<EditProposal>& proposals) {
    std::vector<std::string> told;
    for (const EditProposal& proposal : proposals)
      told.push_back(std::string(name_of(proposal.kind)) + " " + proposal.evidence.kind +
                     (proposal.attribute.empty() ? "" : " " + proposal.attribute));
    return told;
  }
  std::vector<std::string> of_parameters() { return words(parameter_evidence(task())); }
  std::vector<std::string> of_hyper() { return words(hyper_evidence(task(), paired_layers(task()))); }
  std::vector<std::string> of_graph() { return words(graph_evidence(task(), paired_layers(task()))); }

  Network source, target;
  std::optional<Ways> source_ways, target_ways;
  ConversionMap map;
  ValueMatches known;
  FaultRegion region;
  std::map<int, ValueSketch> sketches_source, sketches_target;
};

}  // namespace culprit
