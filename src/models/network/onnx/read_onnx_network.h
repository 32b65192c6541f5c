#pragma once
// A neutral view of an ONNX model. Bodies of If, Loop and Scan stay inside their layer.

#include "model/model.h"
#include "network/network.h"

namespace culprit {

/// External data must be inside (inline_external_data). Tensors of attributes of Constant nodes are constants, too, and
/// no layers. Hyper-parameters are the attributes, those that the operator's schema presets, and constants that newer
/// versions of the operator take as inputs. Errors: a tensor that does not hold together, an input that nothing makes.
Result<Network> read_onnx_network(const onnx::ModelProto& model);

}  // namespace culprit
