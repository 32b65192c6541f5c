#pragma once
// One sample for several models, each of which is fed in its own way: the picture at 224 pixels for one, at 299 for the
// other.

#include <string>
#include <vector>

#include "data/data_set.h"
#include "executor/executor.h"

namespace culprit {

/// All sources have the same samples (null: this model is not fed, or gets what the first one gets) in the same order.
/// A sample that one of them cannot give is of no use to any. Names, truth and description are those of the first.
SourcePtr several_sources(std::vector<SourcePtr> sources);

/// The name under which the input of model `model` stands in a sample of several.
std::string input_of_model(std::size_t model, const std::string& input);

}  // namespace culprit
