// A library that is ONNX Runtime to whoever loads it: it hands every call to the real one, CULPRIT_TEST_REAL_RUNTIME,
// and counts the sessions that are asked for and the runs.
#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <cstdint>
#include <cstdlib>

#include "counting.h"

namespace {

using culprit::testing::count;

const OrtApiBase* real_base() {
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

const OrtApi& real() {
  static const OrtApi& api = *real_base()->GetApi(ORT_API_VERSION);
  return api;
}

OrtStatusPtr ORT_API_CALL create_session(const OrtEnv* env, const ORTCHAR_T* path, const OrtSessionOptions* options,
                                         OrtSession** session) noexcept {
  count("session");
  return real().CreateSession(env, path, options, session);
}

OrtStatusPtr ORT_API_CALL create_session_from_array(const OrtEnv* env, const void* data, size_t size,
                                                    const OrtSessionOptions* options, OrtSession** session) noexcept {
  count("session");
  return real().CreateSessionFromArray(env, data, size, options, session);
}

OrtStatusPtr ORT_API_CALL run(OrtSession* session, const OrtRunOptions* options, const char* const* input_names,
                              const OrtValue* const* inputs, size_t input_count, const char* const* output_names,
                              size_t output_count, OrtValue** outputs) noexcept {
  count("run");
  return real().Run(session, options, input_names, inputs, input_count, output_names, output_count, outputs);
}

OrtStatusPtr ORT_API_CALL run_with_binding(OrtSession* session, const OrtRunOptions* options,
                                           const OrtIoBinding* binding) noexcept {
  count("run");
  return real().RunWithBinding(session, options, binding);
}

/// Of the version of the headers only: the table of another one has another size.
const OrtApi* ORT_API_CALL get_api(std::uint32_t version) noexcept {
  static const OrtApi counting = [] {
    OrtApi api = real();
    api.CreateSession = create_session;
    api.CreateSessionFromArray = create_session_from_array;
    api.Run = run;
    api.RunWithBinding = run_with_binding;
    return api;
  }();
  return version == ORT_API_VERSION ? &counting : nullptr;
}

const char* ORT_API_CALL get_version() noexcept { return real_base()->GetVersionString(); }

}  // namespace

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{get_api, get_version};
  return &base;
}
