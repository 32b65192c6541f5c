#pragma once
// What libraries need that are ONNX Runtime to whoever loads them, and hand their calls to the real one,
// CULPRIT_TEST_REAL_RUNTIME.

#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <cstdlib>

namespace culprit::testing {

inline const OrtApiBase* real_base() {
  static const OrtApiBase* const base = [] {
    const char* const library = std::getenv("CULPRIT_TEST_REAL_RUNTIME");
    void* const handle = library == nullptr ? nullptr : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    const auto get =
        handle == nullptr ? nullptr : reinterpret_cast<decltype(&OrtGetApiBase)>(dlsym(handle, "OrtGetApiBase"));
    if (get == nullptr) std::abort();
    return get();
  }();
  return base;
}

/// Of the version of the headers: the table of another one has another size.
inline const OrtApi& real() {
  static const OrtApi& api = *real_base()->GetApi(ORT_API_VERSION);
  return api;
}

inline const char* ORT_API_CALL real_version() noexcept { return real_base()->GetVersionString(); }

}  // namespace culprit::testing
