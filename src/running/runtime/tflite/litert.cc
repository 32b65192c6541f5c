#include "runtime/tflite/litert.h"

#include <fmt/format.h>

#include <string>

#include "base/text.h"
#include "runtime/loaded_symbols.h"

namespace culprit::litert {
namespace {

void take_making(LoadedSymbols& symbols, LiteRtApi& api) {
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

void take_running(LoadedSymbols& symbols, LiteRtApi& api) {
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

Result<LiteRtApi> load_api(const std::filesystem::path& library) {
  const std::string where = printable(library.string());
  auto loaded =
      LoadedSymbols::load(library, "it must be libLiteRt.so for this machine; scripts/setup tflite brings it");
  if (!loaded) return tl::unexpected(loaded.error());
  LoadedSymbols& symbols = *loaded;
  LiteRtApi api;
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
  return api;
}

}  // namespace culprit::litert
