#pragma once
// What a model means, as a hash: IR version, opsets, functions, which inputs have defaults, input
// and output names and types, ops and sorted attributes in order, edges by position, initializers by content,
// value_info types and shapes, subgraphs, which nodes of a graph share a name (ONNX Runtime refuses them). Not: the
// names of inner values and nodes themselves, docs, metadata.

#include "base/hash.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

/// The order of attributes, opsets, functions and initializers does not count, that of nodes does. A value_info entry
/// that only repeats what is declared elsewhere, or names no value, says nothing. Where names are not unique or do not
/// resolve, the meaning is not defined and the bytes are hashed instead.
Hash128 fingerprint(const onnx::ModelProto& model);

}  // namespace culprit
