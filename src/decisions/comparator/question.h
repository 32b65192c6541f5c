#pragma once
// A sample as the line of JSON that a comparator's program reads (docs/comparators.md). Private to this room.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "task/task.h"

namespace culprit {

/// Writes the numbers as .npy files into `folder`, over those of the sample before, and names them in the line; texts
/// stand in the line itself. Types that NumPy lacks become the next wider one that it has.
Result<std::string> question_of(const SampleOutputs& sample, const std::filesystem::path& folder);

}  // namespace culprit
