#pragma once

#include "network/network.h"
#include "network/tensorflow/tensorflow_model.h"

namespace culprit {

/// A graph of TensorFlow in the neutral words. Values are called as tensors are: "conv/Relu:0"; inputs and outputs are
/// those of TensorflowModel::interface. What goes through Identity stays the value that it is, unless nobody uses the
/// Identity: then it is an output. Bodies of functions stay closed: While, PartitionedCall are layers of their own
/// type. An edge that leads back (NextIteration to Merge) is an input that is not given. Errors: bad_input (an input
/// that nobody makes, a circle, a constant that is none), unsupported.
Result<Network> read_tensorflow_network(const TensorflowModel& model);

}  // namespace culprit
