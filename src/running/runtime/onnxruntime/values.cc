#include "runtime/onnxruntime/values.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/text.h"

namespace culprit::ort {
namespace {

constexpr std::size_t alignment = 64;

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

tl::unexpected<Error> unsupported(const std::string& output, const std::string& what) {
  return fail(ErrorKind::unsupported, "output '" + printable(output) + "' is " + what + ", which cannot be compared");
}

/// A copy.
Result<Tensor> tensor_from(Ort::Value& value, const std::string& output) {
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

Result<Value> value_from(Ort::Value& value, const std::string& output);

Result<Value> map_from(Ort::Value& value, const std::string& output) {
  Ort::AllocatorWithDefaultOptions allocator;
  Ort::Value keys = value.GetValue(0, allocator);
  Ort::Value values = value.GetValue(1, allocator);
  auto its_keys = tensor_from(keys, output);
  auto its_values = tensor_from(values, output);
  if (!its_keys || !its_values) return tl::unexpected((its_keys ? its_values : its_keys).error());
  return Value{.kind = Value::Kind::map, .keys = std::move(*its_keys), .values = std::move(*its_values)};
}

Result<Value> sequence_from(Ort::Value& value, const std::string& output) {
  Ort::AllocatorWithDefaultOptions allocator;
  Value sequence{.kind = Value::Kind::sequence};
  const std::size_t count = value.GetCount();
  for (std::size_t i = 0; i < count; ++i) {
    Ort::Value item = value.GetValue(static_cast<int>(i), allocator);
    auto made = value_from(item, output);
    if (!made) return made;
    sequence.items.push_back(std::move(*made));
  }
  return sequence;
}

Result<Value> value_from(Ort::Value& value, const std::string& output) {
  if (static_cast<const OrtValue*>(value) == nullptr || !value.HasValue()) return Value{.kind = Value::Kind::optional};
  if (value.IsTensor()) {
    auto tensor = tensor_from(value, output);
    if (!tensor) return tl::unexpected(tensor.error());
    return Value{.kind = Value::Kind::tensor, .tensor = std::move(*tensor)};
  }
  switch (value.GetTypeInfo().GetONNXType()) {
    case ONNX_TYPE_SEQUENCE:
      return sequence_from(value, output);
    case ONNX_TYPE_MAP:
      return map_from(value, output);
    case ONNX_TYPE_SPARSETENSOR:
      return unsupported(output, "a sparse tensor");
    default:
      return unsupported(output, "of a kind that culprit does not know");
  }
}

}  // namespace

Result<void> Feed::add(const std::vector<NamedTensor>& inputs, const Forms& forms, const Ort::Env& env) {
  for (const auto& parts : values_in(inputs)) {
    auto value = assemble(parts);
    if (!value) return tl::unexpected(value.error());
    if (value->kind == Value::Kind::optional && value->items.empty()) continue;  // not fed is how the runtime wants it
    const std::string& name = parts.front().name;
    const auto form = forms.find(name);
    auto made = value_of(kept_.emplace_back(std::move(*value)), form == forms.end() ? Form{} : form->second, env);
    if (!made) return fail(made.error().kind, "input '" + printable(name) + "': " + made.error().message);
    names_.push_back(name);
    values_.push_back(std::move(*made));
  }
  return {};
}

std::vector<const char*> Feed::names() const {
  std::vector<const char*> names;
  for (const std::string& name : names_) names.push_back(name.c_str());
  return names;
}

/// An optional that has a value is that value, to the runtime.
Result<Ort::Value> Feed::value_of(const Value& value, const Form& form, const Ort::Env& env) {
  switch (value.kind) {
    case Value::Kind::tensor:
      return tensor_of(value.tensor);
    case Value::Kind::map:
      return Ort::Value::CreateMap(tensor_of(value.keys), tensor_of(value.values));
    case Value::Kind::sequence:
      return sequence_of(value, form, env);
    case Value::Kind::optional:
      break;
  }
  Form inside = form;
  inside.kind = form.inside;
  inside.inside = ONNX_TYPE_TENSOR;  // nothing else is an optional sequence's
  return value_of(value.items.front(), inside, env);
}

Result<Ort::Value> Feed::sequence_of(const Value& value, const Form& form, const Ort::Env& env) {
  if (value.items.empty()) return empty_sequence(form, env);
  std::vector<Ort::Value> items;
  for (const Value& item : value.items) {
    auto made = value_of(item, {}, env);
    if (!made) return made;
    items.push_back(std::move(*made));
  }
  return Ort::Value::CreateSequence(items);
}

Ort::Value Feed::tensor_of(const Tensor& tensor) {
  if (tensor.dtype() == DType::string) return string_value(tensor);
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeCPU);
  const auto type = static_cast<ONNXTensorElementDataType>(tensor.dtype());  // both number types as ONNX does
  return Ort::Value::CreateTensor(memory, aligned(tensor.bytes()), tensor.bytes().size(), tensor.shape().data(),
                                  tensor.shape().size(), type);
}

void* Feed::aligned(std::span<const std::byte> bytes) {
  if (!bytes.empty() && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0)
    return const_cast<std::byte*>(bytes.data());  // the runtime does not write to its inputs
  std::size_t room = bytes.size() + 2 * alignment;
  copies_.push_back(std::make_unique<std::byte[]>(room));
  void* start = copies_.back().get();
  std::align(alignment, bytes.size() + 1, start, room);
  if (!bytes.empty()) std::memcpy(start, bytes.data(), bytes.size());
  return start;
}

Result<std::vector<NamedTensor>> parts_from(Ort::Value& value, const std::string& output, const Form& form) {
  auto made = value_from(value, output);
  if (!made) return tl::unexpected(made.error());
  if (form.kind != ONNX_TYPE_OPTIONAL || made->kind == Value::Kind::optional) return flatten(output, *made);
  Value optional{.kind = Value::Kind::optional};
  optional.items.push_back(std::move(*made));
  return flatten(output, optional);
}

}  // namespace culprit::ort
