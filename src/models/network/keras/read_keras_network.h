#pragma once
// A neutral view of a model of Keras: models inside are spread out, and a shared layer is there once for each call.

#include "keras/keras_model.h"
#include "network/network.h"

namespace culprit {

/// What one layer of Keras does in several steps (a convolution, then its activation) are several layers with the same
/// number, and no run shows what lies between. Values are named as the layers that make them: "conv"; of a second call
/// "conv:1", of a second result "conv[1]", inside of a model "model/conv". Weights are named "conv/kernel" and stored
/// as in the file, but those of LSTM, GRU and SimpleRNN have ONNX's layout and order of gates, those of a
/// MultiHeadAttention are matrices, and a kernel by channel has one dimension for all that it gives. A normalization
/// without scale or shift gets ones or zeros, as ONNX wants them. Shapes are known as far as the file tells them.
/// Errors: bad_input (weights that do not fit their layer, a circle, a result that is not there), unsupported (models
/// in models that make more than a million values).
Result<Network> read_keras_network(const KerasFile& file);

}  // namespace culprit
