#pragma once
// Private to this folder.

#include <vector>

#include "model/rounding_natures.h"
#include "network/network.h"

namespace culprit {

/// What rounding does to each value of a network of any format, as natures_of says of a model: layers have the types of
/// ONNX. What has no word there passes on what it gets.
std::vector<Nature> natures_of(const Network& network);

}  // namespace culprit
