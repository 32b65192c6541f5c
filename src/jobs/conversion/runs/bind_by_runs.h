#pragma once
// The inputs of a target bound to its source's. Where names and shapes leave more than one way, runs tell.

#include <filesystem>
#include <vector>

#include "conversion/map/bind_sides.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

/// Inputs only. `source` has its samples. Ways are tried on the map samples, whose packs go below `folder`. Errors:
/// usage (map names what is not there), bad_input (the two have nothing in common), interrupted, io.
Result<SideBinding> bind_inputs_by_runs(ReadSide& source, ReadSide& target, const InputsSeen& seen,
                                        const std::filesystem::path& folder);

/// Samples of the source as the target takes them: a pack each in `folder`, which is made. Errors: io, bad_input.
Result<std::vector<std::filesystem::path>> samples_of_target(const ReadSide& source, const ReadSide& target,
                                                             const std::vector<ValueMatch>& inputs,
                                                             const std::vector<std::filesystem::path>& samples,
                                                             const std::filesystem::path& folder);

}  // namespace culprit
