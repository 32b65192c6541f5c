#pragma once
// The graph of a TFLite file whose bytes have been walked (flat_index.h). Private to this room.

#include "network/tflite/flat_index.h"
#include "network/tflite/tflite_file.h"

namespace culprit {

Result<TfliteGraph> read_tflite_graph(FlatBytes file, const FlatIndex& index, const std::string& where);

/// That every index in the graph leads to something: tensors, buffers, codes, subgraphs.
Result<void> check_tflite_indices(const TfliteGraph& graph, const std::string& where);

}  // namespace culprit
