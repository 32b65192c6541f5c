#pragma once
// Which outputs of a graph are probabilities, as its last operators say, and which may be any numbers.

#include <map>
#include <string>

namespace onnx {
class GraphProto;
}

namespace culprit {

struct Model;

/// By output: true where it comes from a Sigmoid or a Softmax, false where it comes from a matrix product, a
/// convolution or a LogSoftmax. What only moves or rounds numbers may stand behind. Outputs of which that is not known
/// are left out.
std::map<std::string, bool> probability_outputs(const onnx::GraphProto& graph);

/// Of its graph; empty where it has none, as models of other formats.
std::map<std::string, bool> probability_outputs(const Model& model);

}  // namespace culprit
