#include "network/tensorflow/tensor_value.h"

#include <fmt/format.h>

#include <climits>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::TensorValue;

Error bad_tensor(const std::string& why) { return {ErrorKind::bad_input, "it is no tensor of TensorFlow: " + why, ""}; }

template <class Stored, class List>
std::vector<std::byte> filled_with(const List& list, std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(Stored));
  Stored element{};
  for (std::size_t i = 0; i < count; ++i) {
    if (i < static_cast<std::size_t>(list.size())) element = static_cast<Stored>(list.Get(static_cast<int>(i)));
    std::memcpy(bytes.data() + i * sizeof(Stored), &element, sizeof(Stored));
  }
  return bytes;
}

std::optional<std::vector<std::byte>> listed_elements(const TensorValue& value, DType type, std::size_t count) {
  switch (type) {
    case DType::f32:
      return filled_with<float>(value.floats(), count);
    case DType::f64:
      return filled_with<double>(value.doubles(), count);
    case DType::f16:
    case DType::bf16:
      return filled_with<std::uint16_t>(value.halves(), count);
    case DType::i32:
      return filled_with<std::int32_t>(value.integers(), count);
    case DType::i16:
      return filled_with<std::int16_t>(value.integers(), count);
    case DType::u16:
      return filled_with<std::uint16_t>(value.integers(), count);
    case DType::i8:
      return filled_with<std::int8_t>(value.integers(), count);
    case DType::u8:
      return filled_with<std::uint8_t>(value.integers(), count);
    case DType::i64:
      return filled_with<std::int64_t>(value.longs(), count);
    case DType::u32:
      return filled_with<std::uint32_t>(value.unsigneds(), count);
    case DType::u64:
      return filled_with<std::uint64_t>(value.unsigned_longs(), count);
    case DType::boolean:
      return filled_with<std::uint8_t>(value.flags(), count);
    default:
      return std::nullopt;
  }
}

Result<Tensor> texts_of(const TensorValue& value, const Shape& shape, std::int64_t count) {
  std::vector<std::string> texts(value.texts().begin(), value.texts().end());
  if (std::ssize(texts) > count) texts.resize(static_cast<std::size_t>(count));
  if (texts.size() == 1) texts.resize(static_cast<std::size_t>(count), texts.front());
  return Tensor::from_strings(shape, std::move(texts));
}

}  // namespace

Result<Tensor> tensor_of_tensorflow(std::string_view bytes, std::uint64_t& most_filled) {
  auto value = std::make_shared<TensorValue>();
  if (bytes.size() > INT_MAX || !value->ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return tl::unexpected(bad_tensor("its bytes cannot be read"));
  const auto type = dtype_of_tensorflow(value->type());
  if (!type) return fail(ErrorKind::unsupported, fmt::format("its elements have the type {}", value->type()));
  Shape shape;
  for (const auto& dim : value->shape().dim()) shape.push_back(dim.size());
  const auto count = element_count(shape);
  if (!count || value->shape().unknown_rank()) return tl::unexpected(bad_tensor("its shape is " + to_string(shape)));
  if (!value->content().empty()) {
    const auto* first = reinterpret_cast<const std::byte*>(value->content().data());
    const std::span<const std::byte> content(first, value->content().size());
    return Tensor::view(*type, shape, content, value);
  }
  const std::uint64_t size = std::max(bytes_for(*type, *count), static_cast<std::uint64_t>(*count));
  if (size > bytes.size()) {
    if (size - bytes.size() > most_filled)
      return tl::unexpected(bad_tensor(fmt::format("{} bytes of it are to be filled to {}", bytes.size(), size)));
    most_filled -= size - bytes.size();
  }
  if (*type == DType::string) return texts_of(*value, shape, *count);
  auto elements = listed_elements(*value, *type, static_cast<std::size_t>(*count));
  if (!elements) return fail(ErrorKind::unsupported, fmt::format("its elements are {}, in a list", name_of(*type)));
  return Tensor::from_bytes(*type, shape, std::move(*elements));
}

Result<std::string> tensorflow_tensor(const Tensor& tensor) {
  const auto type = tensorflow_type_of(tensor.dtype());
  if (!type)
    return fail(ErrorKind::unsupported, fmt::format("TensorFlow has no elements of {}", name_of(tensor.dtype())));
  TensorValue value;
  value.set_type(*type);
  value.mutable_shape();
  for (const std::int64_t dim : tensor.shape()) value.mutable_shape()->add_dim()->set_size(dim);
  for (const std::string& text : tensor.strings()) value.add_texts(text);
  const auto bytes = tensor.bytes();
  if (!bytes.empty()) value.set_content(bytes.data(), bytes.size());
  return value.SerializeAsString();
}

}  // namespace culprit
