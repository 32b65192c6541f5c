#pragma once
// A model of Keras as a graph of TensorFlow (runtime/freeze_keras.h): which tensors hold what its layers give.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "network/network.h"

namespace culprit {

/// The two tensors of a value. What is given for `fed` does not change `shown`.
struct KerasTensors {
  std::string shown;     ///< what its layer made: "values/conv:0"
  std::string fed = {};  ///< what its users take; "" where it has none
};

struct KerasGraph {
  std::vector<std::string> inputs, outputs;  ///< tensors, in the order of the network: "picture:0"
  /// By the names that read_keras_network gives; what a layer's own activation takes is "conv/preactivation".
  std::map<std::string, KerasTensors> values;
};

/// Errors: bad_input (it is no such list), io.
Result<KerasGraph> read_keras_graph(const std::filesystem::path& file);

/// The network as this graph runs it. Inputs and outputs are named as their tensors, so that samples and outputs have
/// these names; all other values keep theirs. What lies before an activation inside of a layer gets a name and can be
/// seen where the graph has it; what the graph does not have cannot. The tensors of each value, by number; empty of
/// constants, and of what cannot be seen. Errors: bad_input, other inputs or outputs than the network's.
struct KerasRun {
  Network network;
  KerasGraph graph;
  std::vector<KerasTensors> tensors;
};
Result<KerasRun> as_run_by(Network network, KerasGraph graph);

}  // namespace culprit
