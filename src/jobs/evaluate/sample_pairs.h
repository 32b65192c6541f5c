#pragma once
// A list of pairs of samples of which it is known whether they show the same: `a,b,same`.

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "task/task_settings.h"

namespace culprit {

/// A .csv with the columns a, b and same, with a line of headings or without. a and b are names of samples, as a list
/// of labels spells those of pictures below `folder`; else, where none is called so, their numbers from 0. same is 1,
/// yes or true, else 0, no or false. ErrorKind::usage names the line with anything else, and says so where all are the
/// same, or none is.
Result<std::vector<SamplePair>> read_sample_pairs(const std::filesystem::path& file, const SampleSource& source,
                                                  const std::filesystem::path& folder);

}  // namespace culprit
