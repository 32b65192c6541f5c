#include "runtime/tflite/litert.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <string>

#include "base/text.h"

namespace culprit::litert {
namespace {

class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  /// The first that is missing is kept.
  template <class Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

void take_making(Symbols& symbols, Api& api) {
#define CULPRIT_TAKE(name) symbols.take(api.name, "LiteRt" #name)
  CULPRIT_TAKE(CreateEnvironment);
  CULPRIT_TAKE(DestroyEnvironment);
  CULPRIT_TAKE(CreateModelFromBuffer);
  CULPRIT_TAKE(DestroyModel);
  CULPRIT_TAKE(GetModelSignature);
  CULPRIT_TAKE(GetNumSignatureInputs);
  CULPRIT_TAKE(GetSignatureInputName);
  CULPRIT_TAKE(GetSignatureInputTensorByIndex);
  CULPRIT_TAKE(GetNumSignatureOutputs);
  CULPRIT_TAKE(GetSignatureOutputName);
  CULPRIT_TAKE(GetSignatureOutputTensorByIndex);
  CULPRIT_TAKE(GetRankedTensorType);
  CULPRIT_TAKE(CreateOptions);
  CULPRIT_TAKE(DestroyOptions);
  CULPRIT_TAKE(SetOptionsHardwareAccelerators);
  CULPRIT_TAKE(CreateOpaqueOptions);
  CULPRIT_TAKE(AddOpaqueOptions);
  CULPRIT_TAKE(CreateCompiledModel);
  CULPRIT_TAKE(DestroyCompiledModel);
}

void take_running(Symbols& symbols, Api& api) {
  CULPRIT_TAKE(CompiledModelResizeInputTensorNonStrict);
  CULPRIT_TAKE(GetCompiledModelInputBufferRequirements);
  CULPRIT_TAKE(GetCompiledModelOutputBufferRequirements);
  CULPRIT_TAKE(GetCompiledModelOutputTensorLayouts);
  CULPRIT_TAKE(CreateManagedTensorBufferFromRequirements);
  CULPRIT_TAKE(DestroyTensorBuffer);
  CULPRIT_TAKE(GetTensorBufferPackedSize);
  CULPRIT_TAKE(GetTensorBufferSize);
  CULPRIT_TAKE(LockTensorBuffer);
  CULPRIT_TAKE(UnlockTensorBuffer);
  CULPRIT_TAKE(RunCompiledModel);
#undef CULPRIT_TAKE
}

}  // namespace

Result<Api> load_api(const std::filesystem::path& library) {
  const std::string where = printable(library.string());
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return fail(ErrorKind::bad_input,
                "cannot load " + where + ": " + printable(reason != nullptr ? reason : "unknown reason"),
                "it must be libLiteRt.so for this machine; scripts/setup tflite brings it");
  }
  Api api;
  Symbols symbols(handle);
  take_making(symbols, api);
  if (!symbols.missing().empty() && api.CreateEnvironment == nullptr)
    return fail(ErrorKind::bad_input, where + " is a library, but not LiteRT (it has no LiteRtCreateEnvironment)",
                "scripts/setup tflite brings libLiteRt.so");
  take_running(symbols, api);
  if (!symbols.missing().empty())
    return fail(
        ErrorKind::unsupported,
        fmt::format("{} is another LiteRT than the one that Culprit knows: it has no {}", where, symbols.missing()),
        "scripts/setup tflite brings the version that works");
  return api;  // it stays loaded: it has run, and may have threads and statics
}

}  // namespace culprit::litert
