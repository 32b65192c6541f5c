#pragma once
// The whole map of a conversion: values, parameters, layers, and how much was found.

#include <cstdint>
#include <utility>
#include <vector>

#include "conversion/map/match_parameters.h"
#include "conversion/map/match_values.h"
#include "record/diagnosis.h"

namespace culprit {

struct LayerMatch {
  int source = -1;
  std::vector<int> targets;  ///< the target's layers between the mates of its inputs and of its output, in order
  LayerFound found = LayerFound::no;
  std::vector<std::size_t> parameters;  ///< into ConversionMap::parameters
};

struct ConversionMap {
  std::vector<DerivedTensor> derived;
  std::vector<TargetParameter> target_parameters;
  std::vector<ParameterMatch> parameters;
  ValueMatches values;
  std::vector<LayerMatch> layers;  ///< by the source's layers
  MapCounts counts;
};

/// A layer is found by itself where its output has a mate; by a consumer where a value within two layers behind it has
/// one. Layers of the source that follow from constants alone are not counted. Pure.
void count_coverage(ConversionMap& map, const Ways& source, const Ways& target);

}  // namespace culprit
