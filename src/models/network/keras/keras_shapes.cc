// Shapes that follow from those before, where the file tells none (Keras 2 tells those of its inputs alone).
#include <optional>

#include "base/text.h"
#include "network/keras/keras_writer.h"

namespace culprit {
namespace {

using Dims = std::vector<std::int64_t>;

bool keeps_shape(const NetworkLayer& layer) {
  if (is_one_of(layer.type, {"Mul", "Add", "Sub", "Div"})) return layer.parameters.size() + 1 == layer.inputs.size();
  return is_one_of(layer.type, {"Relu",
                                "Clip",
                                "LeakyRelu",
                                "Elu",
                                "Selu",
                                "Sigmoid",
                                "Tanh",
                                "Softmax",
                                "LogSoftmax",
                                "Softplus",
                                "Softsign",
                                "Gelu",
                                "HardSigmoid",
                                "Swish",
                                "HardSwish",
                                "Mish",
                                "PRelu",
                                "Identity",
                                "Dropout",
                                "BatchNormalization",
                                "LayerNormalization",
                                "GroupNormalization",
                                "RMSNormalization"});
}

/// Sizes along which a window moves are not worked out: -1.
std::optional<Dims> moved_over(const NetworkLayer& layer, Dims dims) {
  if (dims.size() < 3) return std::nullopt;
  const std::size_t first = layer.is_channels_last ? 1 : 2;
  for (std::size_t i = 0; i + 2 < dims.size(); ++i) dims[first + i] = -1;
  return dims;
}

}  // namespace

void declare_result(KerasNetworkWriter& writer, const NetworkLayer& layer) {
  if (layer.inputs.empty() || layer.inputs[0] < 0 || layer.outputs.size() != 1) return;
  const NetworkValue& input = writer.value(layer.inputs[0]);
  if (!input.has_rank || input.dims.empty()) return;
  const Parameter* kernel = parameter_of(layer, "kernel");
  const auto letter = kernel == nullptr ? std::string::npos : kernel->axes.find('O');
  const std::int64_t made = letter == std::string::npos ? -1 : writer.value(kernel->value).dims[letter];
  std::optional<Dims> dims;
  if (keeps_shape(layer)) dims = input.dims;
  if (layer.type == "Gemm") {
    dims = input.dims;
    dims->back() = made;
  }
  if (is_one_of(layer.type, {"MaxPool", "AveragePool"})) dims = moved_over(layer, input.dims);
  if (is_one_of(layer.type, {"Conv", "ConvTranspose"})) {
    dims = moved_over(layer, input.dims);
    if (dims) (*dims)[layer.is_channels_last ? dims->size() - 1 : 1] = made;
  }
  if (layer.type == "Pad") dims = Dims(input.dims.size(), -1);
  if (dims) writer.declare(layer.outputs[0], true, *dims, DType::undefined);
}

}  // namespace culprit
