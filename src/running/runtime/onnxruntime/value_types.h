#pragma once
// What a session declares of its inputs and outputs, as far as it takes that to feed and to read them. These throw
// Ort::Exception; `guarded` catches.

#include <map>
#include <string>

#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

struct Form {
  ONNXType kind = ONNX_TYPE_TENSOR;
  ONNXType inside = ONNX_TYPE_UNKNOWN;  ///< of a sequence or an optional: what it holds
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;  ///< of the tensor at the bottom
};
using Forms = std::map<std::string, Form>;

Forms input_forms(const Ort::Session& session);
Forms output_forms(const Ort::Session& session);

/// An empty sequence of tensors, which the library's own functions refuse to make: the result of a model of one node
/// (SequenceEmpty), run here. One of maps cannot be made this way either: ErrorKind::unsupported.
Result<Ort::Value> empty_sequence(const Form& form, const Ort::Env& env);

}  // namespace culprit::ort
