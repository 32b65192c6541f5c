// A library that is ONNX Runtime to whoever loads it, with a fault planted in its optimizations: it hands every call to
// the real one, CULPRIT_TEST_REAL_RUNTIME, and changes what a session computes while the steps that
// CULPRIT_TEST_PLANTED names are on:
//
//   "A"     while A is on
//   "A&B"   while both are
//   "A|B"   while one of them is, in the same way
//   "A>B"   while A is on; and in another way while A is off and B is on
//   "always" whatever is on, at any level: the kernels themselves are wrong
//
// Else only at level all. A rule is on while its container is, which stands behind a slash: "Pad_Fusion/Level1_...".
// Sessions are counted: "saved" for one that writes its model, else "whole" with nothing left out, "parts" with some.
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "counting.h"
#include "forwarding_runtime.h"

namespace {

using culprit::testing::count;
using culprit::testing::real;

struct Told {
  int level = 0;
  bool saves = false;
  std::string disabled;  // ";A;B;"
};

enum class Wrong { no, shifted, tripled };

std::mutex guard;
std::map<const OrtSessionOptions*, Told> told;
std::map<const OrtSession*, Wrong> sessions;

bool is_on(const Told& options, const std::string& names) {
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t end = std::min(names.find('/', from), names.size());
    if (options.disabled.find(";" + names.substr(from, end - from) + ";") != std::string::npos) return false;
    from = end + 1;
  }
  return true;
}

Wrong planted(const Told& options) {
  const char* const rule = std::getenv("CULPRIT_TEST_PLANTED");
  if (rule != nullptr && rule == std::string("always")) return Wrong::shifted;
  if (rule == nullptr || options.level != ORT_ENABLE_ALL) return Wrong::no;
  const std::string text = rule;
  const auto sign = text.find_first_of("&|>");
  const bool first = is_on(options, text.substr(0, sign));
  if (sign == std::string::npos) return first ? Wrong::shifted : Wrong::no;
  const bool second = is_on(options, text.substr(sign + 1));
  switch (text[sign]) {
    case '&':
      return first && second ? Wrong::shifted : Wrong::no;
    case '|':
      return first || second ? Wrong::shifted : Wrong::no;
    default:
      return first ? Wrong::shifted : second ? Wrong::tripled : Wrong::no;
  }
}

OrtStatusPtr ORT_API_CALL set_level(OrtSessionOptions* options, GraphOptimizationLevel level) noexcept {
  const std::lock_guard lock(guard);
  told[options].level = level;
  return real().SetSessionGraphOptimizationLevel(options, level);
}

OrtStatusPtr ORT_API_CALL add_entry(OrtSessionOptions* options, const char* key, const char* value) noexcept {
  const std::lock_guard lock(guard);
  if (std::string(key) == "optimization.disable_specified_optimizers")
    told[options].disabled = ";" + std::string(value) + ";";
  return real().AddSessionConfigEntry(options, key, value);
}

OrtStatusPtr ORT_API_CALL set_saved_path(OrtSessionOptions* options, const ORTCHAR_T* path) noexcept {
  const std::lock_guard lock(guard);
  told[options].saves = true;
  return real().SetOptimizedModelFilePath(options, path);
}

void ORT_API_CALL release_options(OrtSessionOptions* options) noexcept {
  const std::lock_guard lock(guard);
  told.erase(options);
  real().ReleaseSessionOptions(options);
}

OrtStatusPtr ORT_API_CALL create_session(const OrtEnv* env, const ORTCHAR_T* path, const OrtSessionOptions* options,
                                         OrtSession** session) noexcept {
  const OrtStatusPtr status = real().CreateSession(env, path, options, session);
  const std::lock_guard lock(guard);
  const Told& asked = told[options];
  if (asked.level != 0) count(asked.saves ? "saved" : asked.disabled.empty() ? "whole" : "parts");
  if (status == nullptr) sessions[*session] = planted(asked);
  return status;
}

OrtStatusPtr ORT_API_CALL run(OrtSession* session, const OrtRunOptions* options, const char* const* input_names,
                              const OrtValue* const* inputs, size_t input_count, const char* const* output_names,
                              size_t output_count, OrtValue** outputs) noexcept {
  const OrtStatusPtr status =
      real().Run(session, options, input_names, inputs, input_count, output_names, output_count, outputs);
  const std::lock_guard lock(guard);
  const Wrong wrong = sessions[session];
  if (status != nullptr || wrong == Wrong::no || output_count == 0) return status;
  OrtTensorTypeAndShapeInfo* shape = nullptr;
  size_t elements = 0;
  void* data = nullptr;
  if (real().GetTensorTypeAndShape(outputs[0], &shape) != nullptr) std::abort();
  if (real().GetTensorShapeElementCount(shape, &elements) != nullptr) std::abort();
  if (real().GetTensorMutableData(outputs[0], &data) != nullptr) std::abort();
  real().ReleaseTensorTypeAndShapeInfo(shape);
  for (size_t i = 0; i < elements; ++i) {
    float& value = static_cast<float*>(data)[i];
    value = wrong == Wrong::shifted ? value + 1 : value * 3;
  }
  return status;
}

void ORT_API_CALL release_session(OrtSession* session) noexcept {
  const std::lock_guard lock(guard);
  sessions.erase(session);
  real().ReleaseSession(session);
}

const OrtApi* ORT_API_CALL get_api(std::uint32_t version) noexcept {
  static const OrtApi api = [] {
    OrtApi made = real();
    made.SetSessionGraphOptimizationLevel = set_level;
    made.AddSessionConfigEntry = add_entry;
    made.SetOptimizedModelFilePath = set_saved_path;
    made.ReleaseSessionOptions = release_options;
    made.CreateSession = create_session;
    made.Run = run;
    made.ReleaseSession = release_session;
    return made;
  }();
  return version == ORT_API_VERSION ? &api : nullptr;
}

}  // namespace

extern "C" const OrtApiBase* ORT_API_CALL OrtGetApiBase() noexcept {
  static const OrtApiBase base{get_api, culprit::testing::real_version};
  return &base;
}
