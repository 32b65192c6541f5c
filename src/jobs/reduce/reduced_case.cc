#include "reduce/reduced_case.h"

#include "model/fingerprint.h"
#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

std::int64_t elements_of(const onnx::TensorProto& tensor) {
  return element_count(Shape(tensor.dims().begin(), tensor.dims().end())).value_or(0);
}

constexpr std::int64_t most_read = 100'000;  // elements: of larger tensors nobody asks how many are zero

std::int64_t unlike_zero(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return tensor.count();
  if (tensor.count() > most_read) return 2 * tensor.count();
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double number = tensor.number(i);
    if (number != 0) sum += number == 1 ? 1 : 2;
  }
  return sum;
}

std::int64_t unlike_zero(const onnx::TensorProto& tensor) {
  if (elements_of(tensor) > most_read) return 2 * elements_of(tensor);
  const auto values = from_proto(tensor);
  return values ? unlike_zero(*values) : 2 * elements_of(tensor);
}

}  // namespace

CaseSize size_of(const Case& a_case) {
  CaseSize size;
  for_each_graph(a_case.model->graph(), [&](const onnx::GraphProto& graph) {
    size.nodes += graph.node_size();
    size.interface += graph.input_size() + graph.output_size() + graph.initializer_size();
  });
  for_each_tensor(*a_case.model, [&](const onnx::TensorProto& tensor) {
    size.elements += elements_of(tensor);
    size.unlike_zero += unlike_zero(tensor);
  });
  for (const Inputs& sample : a_case.samples) {
    for (const NamedTensor& input : sample) {
      size.elements += input.value.count();
      size.unlike_zero += unlike_zero(input.value);
    }
  }
  size.bytes = static_cast<std::int64_t>(a_case.model->ByteSizeLong());
  return size;
}

Hash128 key_of(const Case& a_case, bool to_the_letter) {
  Hasher hasher;
  if (to_the_letter) {
    hasher.add(a_case.model->SerializeAsString());
  } else {
    hasher.add(fingerprint(*a_case.model));
  }
  for (const Inputs& sample : a_case.samples) {
    hasher.add(static_cast<std::int64_t>(sample.size()));
    for (const NamedTensor& input : sample) {
      hasher.add(input.name).add(input.part).add(static_cast<std::int64_t>(input.value.dtype()));
      hasher.add(to_string(input.value.shape())).add(input.value.bytes());
      for (const std::string& text : input.value.strings()) hasher.add(text);
    }
  }
  return hasher.finish();
}

}  // namespace culprit
