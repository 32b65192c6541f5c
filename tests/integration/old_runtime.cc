// A library that says it is ONNX Runtime 1.18.1.
#include <onnxruntime_c_api.h>

#include <cstdint>

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{[](std::uint32_t) noexcept -> const OrtApi* { return nullptr; },
                               []() noexcept -> const char* { return "1.18.1"; }};
  return &base;
}
