#pragma once
// The keys that a model looks up in maps that it is fed. A map with other keys says little: all its values are dropped.

#include <map>
#include <string>

#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

/// By input, a vector of int64 or of strings: the vocabulary of the DictVectorizer that takes it, or the places that a
/// sparse CastMap fills (at most 16). https://onnx.ai/onnx/operators/ (ai.onnx.ml)
std::map<std::string, Tensor> map_keys(const onnx::ModelProto& model);

}  // namespace culprit
