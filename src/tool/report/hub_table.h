#pragma once
// What a hub has, for people to read.

#include <string>
#include <vector>

#include "hub/hub_manifest.h"

namespace culprit {

/// A line for each model: name, opset, size, has it test data, tags, the inputs and outputs. The shapes are cut so that
/// a line fits into `width` columns.
std::string hub_as_text(const std::vector<HubModel>& models, int width);

}  // namespace culprit
