#pragma once
// The C++ API of ONNX Runtime without its static initialization: the table of functions comes from a library loaded by
// name.

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>
#undef ORT_API_MANUAL_INIT

#include <string>

#include "base/error.h"

namespace culprit::ort {

/// What the library threw, in its own words behind its error code: "ONNX Runtime (INVALID_GRAPH): ...".
Error error_of(const Ort::Exception& exception);

/// Runs `work`, which gives a Result, and turns whatever it throws into an Error: exceptions of the library end here.
template <class Work>
auto guarded(Work&& work) -> decltype(work()) {
  try {
    return work();
  } catch (const Ort::Exception& exception) {
    return tl::unexpected<Error>(error_of(exception));
  } catch (const std::exception& exception) {
    return fail(ErrorKind::bad_input, std::string("ONNX Runtime: ") + exception.what());
  }
}

}  // namespace culprit::ort
