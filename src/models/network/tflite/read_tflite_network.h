#pragma once
// A neutral view of a TFLite file: of its main subgraph. Bodies of WHILE and IF stay inside their layer.

#include "network/network.h"
#include "network/tflite/tflite_file.h"

namespace culprit {

/// A fused activation is a layer of its own, with the number of the node that does it and an input that no run shows.
/// Constants are views of the file's bytes, which they keep. Errors: a constant whose bytes do not fit its shape.
Result<Network> read_tflite_network(const TfliteFile& file);

}  // namespace culprit
