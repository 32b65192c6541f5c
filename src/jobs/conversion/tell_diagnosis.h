#pragma once
// What a report says of the map, the parameters and the layers of a conversion. Pure but for reading values.

#include <map>
#include <vector>

#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"
#include "conversion/walk/walk.h"
#include "record/diagnosis.h"

namespace culprit {

MapRecord map_record(const ConversionMap& map, const BothSides& sides);

std::vector<MappedParameter> mapped_parameters(const ConversionMap& map, const BothSides& sides);

/// One row for each layer of the source that computes. `map`: its values are those that are found under all feeds;
/// `target_as_it_came`: elements of the target without any. Errors: of reading.
Result<std::vector<LayerRow>> layer_rows(const ConversionMap& map, const WalkResult& walked,
                                         const std::vector<ConversionFault>& faults, const BothSides& sides,
                                         Elements& target_as_it_came);

BoundOutput bound_output(const ValueMatch& match, const BothSides& sides, const Measurement& measurement);

}  // namespace culprit
