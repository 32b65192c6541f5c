#pragma once
// What a report says of the map, the parameters and the layers of a conversion. Pure but for reading values.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conversion/coarse/judge_coarse.h"
#include "conversion/feeding/try_feeding.h"
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

/// The status and why. `weak`: why the outputs say nothing, where that is so.
void tell_status(bool is_output_wrong, const std::optional<CoarseVerdict>& coarse, const std::string& weak,
                 Diagnosis& found);

/// What was found of how the target is fed. Outputs are those of the target as it is fed. Is the answer known by it?
/// Then the status and the fault are set. `is_right_as_source`: it is right where it is fed as the source is.
bool take_feeding(const FeedingVerdict& fed, bool is_right_as_source, Diagnosis& found);

}  // namespace culprit
