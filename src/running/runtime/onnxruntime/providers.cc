#include "runtime/onnxruntime/providers.h"

#include <array>
#include <cstdlib>
#include <map>
#include <memory>

#include "record/profile.h"

namespace culprit::ort {
namespace {

void use_cuda(Ort::SessionOptions& options) {
  ::setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", /*overwrite=*/0);
  const OrtApi& api = Ort::GetApi();
  OrtCUDAProviderOptionsV2* made = nullptr;
  Ort::ThrowOnError(api.CreateCUDAProviderOptions(&made));
  const std::unique_ptr<OrtCUDAProviderOptionsV2, decltype(api.ReleaseCUDAProviderOptions)> cuda(
      made, api.ReleaseCUDAProviderOptions);
  constexpr std::array keys = {"device_id"}, values = {"0"};
  Ort::ThrowOnError(api.UpdateCUDAProviderOptions(cuda.get(), keys.data(), values.data(), keys.size()));
  options.AppendExecutionProvider_CUDA_V2(*cuda);
}

}  // namespace

std::vector<std::string> available_providers() {
  std::vector<std::string> names;
  for (const std::string& name : Ort::GetAvailableProviders()) names.emplace_back(short_provider(name));
  return names;
}

void use_provider(Ort::SessionOptions& options, const std::string& provider) {
  // Where the name in AppendExecutionProvider is another one than in GetAvailableProviders.
  static const std::map<std::string, std::string> other_names = {
      {"Azure", "AZURE"}, {"Xnnpack", "XNNPACK"}, {"Dml", "DML"}, {"WebGpu", "WebGPU"}};
  if (runs_on_cpu(provider)) return;
  if (provider == "CUDA") return use_cuda(options);
  const auto other = other_names.find(provider);
  options.AppendExecutionProvider(other == other_names.end() ? provider : other->second);
}

}  // namespace culprit::ort
