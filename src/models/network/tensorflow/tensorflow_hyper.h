#pragma once
// Attributes of TensorFlow's nodes as hyper-parameters in the words of ONNX, and back.

#include <string>

#include "network/network.h"

namespace culprit {

namespace tensorflow {
class Node;
}

/// Sets hyper-parameters and is_channels_last of a layer from what the node says, and what TensorFlow means where it
/// says nothing. What is an input of the node is not looked at.
void read_tensorflow_hyper(const tensorflow::Node& node, NetworkLayer& layer);

/// Sets what `read_tensorflow_hyper` reads. False: the operator has no attribute for it. Errors: unsupported, it cannot
/// have this value.
Result<bool> set_tensorflow_hyper(tensorflow::Node& node, const std::string& name, const Hyper& hyper);

}  // namespace culprit
