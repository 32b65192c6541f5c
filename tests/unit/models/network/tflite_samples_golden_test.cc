#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/hash.h"
#include "tflite_samples.h"

namespace culprit {
namespace {

std::string told(const TfliteValue& value) {
  return std::visit([](const auto& one) { return fmt::format("{}", one); }, value);
}

}  // namespace

std::string told(const TfliteFile& file) {
  std::string all = file.graph().description;
  for (const auto& graph : file.graph().subgraphs) {
    all += fmt::format("\ngraph {} {} {}", graph.name, graph.inputs, graph.outputs);
    for (const auto& t : graph.tensors) {
      all += fmt::format("\ntensor {} {} {} {} {}", t.name, t.type, t.shape, t.buffer, t.has_rank);
      if (t.quantization) all += fmt::format(" {} {}", t.quantization->scale, t.quantization->zero_point);
      const auto data = file.buffer(t.buffer);
      all += ' ';
      for (const auto byte : data) all += fmt::format("{:02x}", static_cast<int>(byte));
    }
    for (const auto& node : graph.operators) {
      all += fmt::format("\n{} {} {}", file.operator_name(node), node.inputs, node.outputs);
      for (const auto& option : node.options) all += fmt::format(" {}={}", option.name, told(option.value));
    }
  }
  for (const auto& signature : file.graph().signatures) {
    all += "\nsignature " + signature.key;
    for (const auto& [name, tensor] : signature.outputs) all += fmt::format(" {}={}", name, tensor);
  }
  return all;
}

}  // namespace culprit
