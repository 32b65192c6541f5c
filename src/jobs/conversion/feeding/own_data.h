#pragma once
// What a target is fed of its own, held against what its source is fed. Private to this folder.

#include <filesystem>
#include <vector>

#include "conversion/runs/both_sides.h"
#include "record/diagnosis.h"

namespace culprit {

/// How its data, packs by its own names, are made of the source's: all ways (feeding_ways.h) and as they are, the
/// nearest first, by the first samples. Errors: io, bad_input.
Result<std::vector<DataTry>> ways_of_own_data(const BothSides& sides, const std::vector<ValueMatch>& binding,
                                              const std::vector<std::filesystem::path>& data);

}  // namespace culprit
