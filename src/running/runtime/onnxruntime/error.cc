#include "runtime/onnxruntime/api.h"

namespace culprit::ort {
namespace {

const char* name_of(OrtErrorCode code) {
  switch (code) {
    case ORT_OK:
      return "OK";
    case ORT_FAIL:
      return "FAIL";
    case ORT_INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case ORT_NO_SUCHFILE:
      return "NO_SUCHFILE";
    case ORT_NO_MODEL:
      return "NO_MODEL";
    case ORT_ENGINE_ERROR:
      return "ENGINE_ERROR";
    case ORT_RUNTIME_EXCEPTION:
      return "RUNTIME_EXCEPTION";
    case ORT_INVALID_PROTOBUF:
      return "INVALID_PROTOBUF";
    case ORT_MODEL_LOADED:
      return "MODEL_LOADED";
    case ORT_NOT_IMPLEMENTED:
      return "NOT_IMPLEMENTED";
    case ORT_INVALID_GRAPH:
      return "INVALID_GRAPH";
    case ORT_EP_FAIL:
      return "EP_FAIL";
    default:
      return "UNKNOWN";  // newer libraries know more codes
  }
}

ErrorKind kind_of(OrtErrorCode code) {
  if (code == ORT_NO_SUCHFILE) return ErrorKind::not_found;
  if (code == ORT_NOT_IMPLEMENTED) return ErrorKind::no_kernel;
  return ErrorKind::bad_input;
}

}  // namespace

Error error_of(const Ort::Exception& exception) {
  const OrtErrorCode code = exception.GetOrtErrorCode();
  return Error{kind_of(code), std::string("ONNX Runtime (") + name_of(code) + "): " + exception.what(), ""};
}

}  // namespace culprit::ort
