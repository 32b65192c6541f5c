#include "runtime/onnxruntime/values.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/text.h"

namespace culprit::ort {
namespace {

constexpr std::size_t kAlignment = 64;

Ort::Value string_value(const Tensor& tensor) {
  Ort::AllocatorWithDefaultOptions allocator;
  auto value = Ort::Value::CreateTensor(allocator, tensor.shape().data(), tensor.shape().size(),
                                        ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING);
  const auto strings = tensor.strings();
  // Not FillStringTensor: it would cut strings at their first zero byte.
  for (std::size_t i = 0; i < strings.size(); ++i)
    std::ranges::copy(strings[i], value.GetResizedStringTensorElementBuffer(i, strings[i].size()));
  return value;
}

Result<Tensor> strings_from(const Ort::Value& value, Shape shape, std::size_t count) {
  std::string all(value.GetStringTensorDataLength(), '\0');
  std::vector<std::size_t> offsets(count);
  value.GetStringTensorContent(all.data(), all.size(), offsets.data(), offsets.size());
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? offsets[i + 1] : all.size();
    strings.push_back(all.substr(offsets[i], end - offsets[i]));
  }
  return Tensor::from_strings(std::move(shape), std::move(strings));
}

const char* what_is(ONNXType type) {
  switch (type) {
    case ONNX_TYPE_SEQUENCE:
      return "a sequence";
    case ONNX_TYPE_MAP:
      return "a map";
    case ONNX_TYPE_SPARSETENSOR:
      return "a sparse tensor";
    case ONNX_TYPE_OPTIONAL:
      return "an optional";
    default:
      return "not a tensor";
  }
}

tl::unexpected<Error> unsupported(const std::string& output, const std::string& what) {
  return fail(ErrorKind::unsupported,
              "output '" + printable(output) + "' is " + what + ", and only tensors can be compared");
}

}  // namespace

Feed::Feed(const std::vector<NamedTensor>& inputs) {
  for (const NamedTensor& input : inputs) {
    names_.push_back(input.name.c_str());
    add(input.value);
  }
}

void Feed::add(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) {
    values_.push_back(string_value(tensor));
    return;
  }
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeCPU);
  const auto type = static_cast<ONNXTensorElementDataType>(tensor.dtype());  // both number types as ONNX does
  values_.push_back(Ort::Value::CreateTensor(memory, aligned(tensor.bytes()), tensor.bytes().size(),
                                             tensor.shape().data(), tensor.shape().size(), type));
}

void* Feed::aligned(std::span<const std::byte> bytes) {
  if (!bytes.empty() && reinterpret_cast<std::uintptr_t>(bytes.data()) % kAlignment == 0)
    return const_cast<std::byte*>(bytes.data());  // the runtime does not write to its inputs
  std::size_t room = bytes.size() + 2 * kAlignment;
  copies_.push_back(std::make_unique<std::byte[]>(room));
  void* start = copies_.back().get();
  std::align(kAlignment, bytes.size() + 1, start, room);
  if (!bytes.empty()) std::memcpy(start, bytes.data(), bytes.size());
  return start;
}

Result<Tensor> tensor_from(Ort::Value& value, const std::string& output) {
  if (static_cast<const OrtValue*>(value) == nullptr || !value.HasValue())
    return unsupported(output, "an optional without a value");
  if (!value.IsTensor()) return unsupported(output, what_is(value.GetTypeInfo().GetONNXType()));
  const auto info = value.GetTensorTypeAndShapeInfo();
  const auto type = dtype_from_onnx(static_cast<std::int32_t>(info.GetElementType()));
  if (!type || *type == DType::undefined) return unsupported(output, "of an element type that culprit does not know");
  Shape shape = info.GetShape();
  const std::size_t count = info.GetElementCount();
  if (*type == DType::string) return strings_from(value, std::move(shape), count);
  const std::uint64_t size = bytes_for(*type, static_cast<std::int64_t>(count));
  // Not GetTensorRawData: the header gives it a function that libraries before 1.23 do not have.
  const auto* first = size > 0 ? static_cast<const std::byte*>(value.GetTensorMutableRawData()) : nullptr;
  return Tensor::from_bytes(*type, std::move(shape), std::vector<std::byte>(first, first + size));
}

}  // namespace culprit::ort
