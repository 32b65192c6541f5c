// A library that is ONNX Runtime with CUDA to whoever loads it. It writes down what it is asked for, into the file
// CULPRIT_TEST_CUDA_LOG, and runs on the CPU; with CULPRIT_TEST_NO_GPU it finds no device.
#include <cstdint>
#include <fstream>
#include <string>

#include "forwarding_runtime.h"

namespace {

using culprit::testing::real;

char cuda_name[] = "CUDAExecutionProvider", cpu_name[] = "CPUExecutionProvider";
char* names[] = {cuda_name, cpu_name};
int options;  // its address stands for them

void note(const char* words) {
  const char* const file = std::getenv("CULPRIT_TEST_CUDA_LOG");
  if (file != nullptr) std::ofstream(file, std::ios::app) << words << "\n";
}

OrtStatusPtr ORT_API_CALL available(char*** found, int* count) noexcept {
  *found = names;
  *count = 2;
  return nullptr;
}
OrtStatusPtr ORT_API_CALL release_available(char** /*names*/, int /*count*/) noexcept { return nullptr; }

OrtStatusPtr ORT_API_CALL create(OrtCUDAProviderOptionsV2** made) noexcept {
  *made = reinterpret_cast<OrtCUDAProviderOptionsV2*>(&options);
  return nullptr;
}
OrtStatusPtr ORT_API_CALL update(OrtCUDAProviderOptionsV2* /*made*/, const char* const* keys, const char* const* values,
                                 std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) note((std::string(keys[i]) + "=" + values[i]).c_str());
  return nullptr;
}
void ORT_API_CALL release(OrtCUDAProviderOptionsV2* /*made*/) noexcept { note("released"); }

OrtStatusPtr ORT_API_CALL append(OrtSessionOptions* /*session*/, const OrtCUDAProviderOptionsV2* made) noexcept {
  if (std::getenv("CULPRIT_TEST_NO_GPU") != nullptr)
    return real().CreateStatus(ORT_FAIL, "no CUDA-capable device is detected");
  note(made == reinterpret_cast<OrtCUDAProviderOptionsV2*>(&options) ? "appended" : "appended another");
  return nullptr;
}

const OrtApi* ORT_API_CALL get_api(std::uint32_t version) noexcept {
  static const OrtApi with_cuda = [] {
    OrtApi api = real();
    api.GetAvailableProviders = available;
    api.ReleaseAvailableProviders = release_available;
    api.CreateCUDAProviderOptions = create;
    api.UpdateCUDAProviderOptions = update;
    api.ReleaseCUDAProviderOptions = release;
    api.SessionOptionsAppendExecutionProvider_CUDA_V2 = append;
    return api;
  }();
  return version == ORT_API_VERSION ? &with_cuda : nullptr;
}

}  // namespace

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{get_api, culprit::testing::real_version};
  return &base;
}
