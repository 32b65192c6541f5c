// A library that is ONNX Runtime to whoever loads it: it hands every call to the real one, CULPRIT_TEST_REAL_RUNTIME,
// and counts the sessions that are asked for and the runs.
#include <cstdint>

#include "counting.h"
#include "forwarding_runtime.h"

namespace {

using culprit::testing::count;
using culprit::testing::real;

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

}  // namespace

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{get_api, culprit::testing::real_version};
  return &base;
}
