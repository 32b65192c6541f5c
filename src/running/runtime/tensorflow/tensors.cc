#include "runtime/tensorflow/tensors.h"

#include <fmt/format.h>

#include <cstring>

#include "base/text.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit::tf {
namespace {

char* data_of(const Api& api, Handle tensor) { return static_cast<char*>(api.TensorData(tensor)); }

Shape shape_of(const Api& api, Handle tensor) {
  Shape shape;
  for (int i = 0; i < api.NumDims(tensor); ++i) shape.push_back(api.Dim(tensor, i));
  return shape;
}

Result<Tensor> strings_out(const Api& api, Handle tensor) {
  const char* data = data_of(api, tensor);
  std::vector<std::string> strings;
  for (std::size_t at = 0; at + string_size <= api.TensorByteSize(tensor); at += string_size)
    strings.emplace_back(api.StringGetDataPointer(data + at), api.StringGetSize(data + at));
  return Tensor::from_strings(shape_of(api, tensor), std::move(strings));
}

}  // namespace

Result<FedTensor> FedTensor::make(const Api& api, const Tensor& tensor, const std::string& name) {
  const auto type = tensorflow_type_of(tensor.dtype());
  if (!type)
    return fail(ErrorKind::unsupported,
                fmt::format("the input {} has elements of the type {}, which TensorFlow has not", printable(name),
                            name_of(tensor.dtype())));
  const bool has_strings = tensor.dtype() == DType::string;
  const std::size_t size = has_strings ? tensor.strings().size() * string_size : tensor.bytes().size();
  FedTensor made(api, api.AllocateTensor(*type, tensor.shape().data(), static_cast<int>(tensor.shape().size()), size));
  if (made.get() == nullptr || api.TensorByteSize(made.get()) < size)
    return fail(ErrorKind::io,
                fmt::format("TensorFlow has no memory for the input {} of {}", printable(name), human_bytes(size)));
  char* data = data_of(api, made.get());
  if (!has_strings && size > 0) std::memcpy(data, tensor.bytes().data(), size);
  for (std::size_t i = 0; has_strings && i < tensor.strings().size(); ++i) {
    const std::string& text = tensor.strings()[i];
    api.StringInit(data + i * string_size);
    api.StringCopy(data + i * string_size, text.data(), text.size());
    made.strings_ = i + 1;
  }
  return made;
}

FedTensor::~FedTensor() {
  if (get() == nullptr) return;
  for (std::size_t i = 0; i < strings_; ++i) api_.StringDealloc(data_of(api_, get()) + i * string_size);
}

Result<Tensor> taken_out(const Api& api, Handle tensor, const std::string& name) {
  const int number = api.TensorType(tensor);
  const auto type = dtype_of_tensorflow(number);
  if (!type)
    return fail(ErrorKind::unsupported,
                fmt::format("the output {} has elements of TensorFlow's type {}", printable(name), number),
                "only tensors of numbers, booleans and strings can be compared");
  if (*type == DType::string) return strings_out(api, tensor);
  const auto* first = reinterpret_cast<const std::byte*>(data_of(api, tensor));
  return Tensor::from_bytes(*type, shape_of(api, tensor), {first, first + api.TensorByteSize(tensor)});
}

}  // namespace culprit::tf
