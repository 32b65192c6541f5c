#pragma once
// What output_N.pb of folders test_data_set_N say, as what is right of their samples.

#include <filesystem>
#include <memory>
#include <vector>

#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

/// Gives the same samples with their expected outputs; sample n lies in the n-th folder. One whose outputs cannot be
/// read is of no use (bad_input), and one without any has no truth.
std::unique_ptr<SampleSource> with_expected_outputs(std::unique_ptr<SampleSource> source,
                                                    std::vector<std::filesystem::path> folders, Interface interface);

}  // namespace culprit
