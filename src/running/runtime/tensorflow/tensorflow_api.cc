#include "runtime/tensorflow/tensorflow_api.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "base/text.h"
#include "runtime/loaded_symbols.h"

namespace culprit::tf {
namespace {

void take_making(LoadedSymbols& symbols, Api& api) {
#define CULPRIT_TAKE(name) symbols.take(api.name, "TF_" #name)
  CULPRIT_TAKE(Version);
  CULPRIT_TAKE(NewStatus);
  CULPRIT_TAKE(DeleteStatus);
  CULPRIT_TAKE(GetCode);
  CULPRIT_TAKE(Message);
  CULPRIT_TAKE(NewSessionOptions);
  CULPRIT_TAKE(DeleteSessionOptions);
  CULPRIT_TAKE(SetConfig);
  CULPRIT_TAKE(NewGraph);
  CULPRIT_TAKE(DeleteGraph);
  CULPRIT_TAKE(NewImportGraphDefOptions);
  CULPRIT_TAKE(DeleteImportGraphDefOptions);
  CULPRIT_TAKE(GraphImportGraphDef);
  CULPRIT_TAKE(GraphOperationByName);
  CULPRIT_TAKE(OperationNumOutputs);
  CULPRIT_TAKE(OperationOutputType);
  CULPRIT_TAKE(NewSession);
  CULPRIT_TAKE(LoadSessionFromSavedModel);
}

void take_running(LoadedSymbols& symbols, Api& api) {
  CULPRIT_TAKE(CloseSession);
  CULPRIT_TAKE(DeleteSession);
  CULPRIT_TAKE(SessionRun);
  CULPRIT_TAKE(AllocateTensor);
  CULPRIT_TAKE(DeleteTensor);
  CULPRIT_TAKE(TensorType);
  CULPRIT_TAKE(NumDims);
  CULPRIT_TAKE(Dim);
  CULPRIT_TAKE(TensorByteSize);
  CULPRIT_TAKE(TensorData);
  CULPRIT_TAKE(StringInit);
  CULPRIT_TAKE(StringCopy);
  CULPRIT_TAKE(StringDealloc);
  CULPRIT_TAKE(StringGetDataPointer);
  CULPRIT_TAKE(StringGetSize);
#undef CULPRIT_TAKE
}

}  // namespace

Result<Api> load_api(const std::filesystem::path& library) {
  const std::string where = printable(library.string());
  constexpr int only_unset = 0;
  ::setenv("TF_CPP_MIN_LOG_LEVEL", "3", only_unset);
  ::setenv("TF_ENABLE_ONEDNN_OPTS", "0", only_unset);
  auto symbols = LoadedSymbols::load(
      library, "it must be libtensorflow_cc.so.2 for this machine; scripts/setup tensorflow brings it");
  if (!symbols) return tl::unexpected(symbols.error());
  Api api;
  take_making(*symbols, api);
  if (api.Version == nullptr)
    return fail(ErrorKind::bad_input, where + " is a library, but not TensorFlow (it has no TF_Version)",
                "scripts/setup tensorflow brings libtensorflow_cc.so.2");
  take_running(*symbols, api);
  if (symbols->missing().empty()) return api;
  return fail(
      ErrorKind::unsupported,
      fmt::format("{} is another TensorFlow than the one that Culprit knows: it has no {}", where, symbols->missing()),
      "scripts/setup tensorflow brings the version that works");
}

}  // namespace culprit::tf
