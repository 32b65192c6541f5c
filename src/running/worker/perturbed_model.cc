#include "worker/perturbed_model.h"

#include <onnx/onnx_pb.h>

#include <climits>

#include "model/model.h"
#include "model/perturb_quantized.h"
#include "model/perturb_results.h"
#include "model/perturb_weights.h"
#include "model/placed_weights.h"
#include "network/tflite/perturb_tflite.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// Large initializers of the outermost graph; those inside are not given to the runtime by name.
Result<std::vector<NamedTensor>> take_outside(onnx::GraphProto& graph) {
  std::vector<NamedTensor> outside;
  for (auto& tensor : *graph.mutable_initializer()) {
    if (!tensor.has_raw_data() || tensor.raw_data().size() < placed_tensor_bytes) continue;
    auto elements = from_proto(tensor);
    if (!elements) return tl::unexpected(elements.error());
    const std::uint64_t bytes = elements->bytes().size();
    outside.push_back({tensor.name(), std::move(*elements)});
    place(tensor, {}, bytes);
  }
  return outside;
}

Result<ModelInMemory> nudged_onnx(const std::filesystem::path& model, const Perturbation& perturbation) {
  auto proto = load_proto(model);
  if (!proto) return tl::unexpected(proto.error());
  if (auto whole = inline_external_data(*proto, model.parent_path()); !whole) return tl::unexpected(whole.error());
  perturb_weights(*proto, perturbation.seed, perturbation.ulps);
  perturb_results(*proto, perturbation.seed, perturbation.ulps);
  perturb_steps(*proto, perturbation.seed);
  ModelInMemory made;
  if (placeable_bytes(*proto) >= placed_model_bytes) {
    auto outside = take_outside(*proto->mutable_graph());
    if (!outside) return tl::unexpected(outside.error());
    made.outside = std::move(*outside);
  }
  if (proto->ByteSizeLong() > INT_MAX || !proto->SerializeToString(&made.bytes))
    return fail(ErrorKind::unsupported, "the model with moved weights takes more than 2 GiB");
  return made;
}

Result<ModelInMemory> nudged_tflite(const std::filesystem::path& model, const Perturbation& perturbation) {
  const auto file = TfliteFile::open(model);
  if (!file) return tl::unexpected(file.error());
  const auto moved = perturbed(*file, perturbation.seed, perturbation.ulps);
  if (!moved) return tl::unexpected(moved.error());
  return ModelInMemory{std::string(moved->bytes()), {}};
}

}  // namespace

Result<std::optional<ModelInMemory>> nudged_model(const std::filesystem::path& model,
                                                  const Perturbation& perturbation) {
  const ModelFormat format = format_of(model);
  if (format != ModelFormat::onnx && format != ModelFormat::tflite) return std::nullopt;
  auto made = format == ModelFormat::onnx ? nudged_onnx(model, perturbation) : nudged_tflite(model, perturbation);
  if (!made) return tl::unexpected(made.error());
  return std::move(*made);
}

void nudge_inputs(std::vector<NamedTensor>& inputs, ModelFormat format, std::size_t sample,
                  const Perturbation& perturbation) {
  if (format == ModelFormat::onnx) return;
  for (NamedTensor& input : inputs) {
    Random random(perturbation.seed, "sample " + std::to_string(sample) + " " + input.name);
    input.value = perturbed(input.value, random, perturbation.ulps);
  }
}

}  // namespace culprit
