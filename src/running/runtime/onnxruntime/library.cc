#include "runtime/onnxruntime/library.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text.h"
#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

// The minor number of the version, as long as the major one is 1.
std::uint32_t api_number(const std::string& version) {
  const auto pieces = split(version, '.');
  std::uint32_t minor = 0;
  if (pieces.size() < 2 || pieces[0] != "1") return 0;
  std::from_chars(pieces[1].data(), pieces[1].data() + pieces[1].size(), minor);
  return minor;
}

namespace {

constexpr std::uint32_t oldest_release = 19;  // 1.19: the oldest whose wheels carry the library

using GetApiBase = const OrtApiBase*(ORT_API_CALL*)();

Result<std::string> take_api(void* handle, const std::string& where) {
  const auto get_base = reinterpret_cast<GetApiBase>(dlsym(handle, "OrtGetApiBase"));
  if (get_base == nullptr)
    return fail(ErrorKind::bad_input, where + " is a library, but not ONNX Runtime (it has no OrtGetApiBase)",
                "name a file libonnxruntime.so.*");
  const OrtApiBase* base = get_base();
  const std::string version = base->GetVersionString();
  const std::uint32_t number = api_number(version);
  if (number < oldest_release)
    return fail(ErrorKind::unsupported, where + " is ONNX Runtime " + printable(version) + ", which is older than 1.19",
                "scripts/setup runtime 1.19.2 brings the oldest that works");
  const OrtApi* api = base->GetApi(std::min<std::uint32_t>(number, ORT_API_VERSION));
  if (api == nullptr)
    return fail(ErrorKind::unsupported, where + " (ONNX Runtime " + version + ") does not offer its own API");
  const OrtApi*& table = Ort::Global<void>::api_;
  if (table != nullptr && table != api)
    return fail(ErrorKind::unsupported,
                "another ONNX Runtime is loaded already, so " + where + " cannot be used in this process");
  Ort::InitApi(api);
  return version;
}

}  // namespace

Result<std::string> load_library(const std::filesystem::path& path) {
  const std::string where = printable(path.string());
  // Libraries from 1.31 on report to their maker what they run, and leave files in the temporary and in the cache
  // folder for it, unless told not to before they are loaded. The models are not ours to tell of.
  ::setenv("ORT_DISABLE_TELEMETRY", "1", 1);
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return fail(ErrorKind::bad_input,
                "cannot load " + where + ": " + printable(reason != nullptr ? reason : "unknown reason"),
                "it must be ONNX Runtime's shared library for this machine");
  }
  return take_api(handle, where);  // refused or not, it stays loaded: it has run, and may have threads and statics
}

}  // namespace culprit::ort
