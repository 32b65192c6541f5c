// A library that is ONNX Runtime to whoever loads it, but for one thing: it does not listen when it is told which
// optimizations to leave out.
#include <cstdint>
#include <cstring>

#include "forwarding_runtime.h"

namespace {

using culprit::testing::real;

// So that these two rules are in it, as whole strings.
[[gnu::used]] const char rules[] = "\0Pad_Fusion\0NoopElimination";

OrtStatusPtr ORT_API_CALL add_entry(OrtSessionOptions* options, const char* key, const char* value) noexcept {
  if (std::strcmp(key, "optimization.disable_specified_optimizers") == 0) return nullptr;
  return real().AddSessionConfigEntry(options, key, value);
}

const OrtApi* ORT_API_CALL get_api(std::uint32_t version) noexcept {
  static const OrtApi deaf = [] {
    OrtApi api = real();
    api.AddSessionConfigEntry = add_entry;
    return api;
  }();
  return version == ORT_API_VERSION ? &deaf : nullptr;
}

}  // namespace

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{get_api, culprit::testing::real_version};
  return &base;
}
