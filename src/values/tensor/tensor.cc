#include "tensor/tensor.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "tensor/half.h"
#include "tensor/small_float.h"

namespace culprit {

static_assert(std::endian::native == std::endian::little, "elements are little-endian, in files and in memory");

namespace {

/// Tells where in memory elements of this type may begin.
std::size_t alignment_of(DType type) {
  const std::size_t component = type == DType::c64 || type == DType::c128 ? bits_of(type) / 16 : bits_of(type) / 8;
  return std::max<std::size_t>(component, 1);
}

std::string described(DType type, const Shape& shape) { return std::string(name_of(type)) + to_string(shape); }

/// The number of elements, after making sure that `bytes` is exactly what they take.
Result<std::int64_t> checked_count(DType type, const Shape& shape, std::uint64_t bytes) {
  auto count = element_count(shape);
  if (!count) return count;
  if (bits_of(type) == 0) {
    return fail(ErrorKind::bad_input, "a tensor of type " + std::string(name_of(type)) + " cannot be made from bytes");
  }
  const std::uint64_t needed = bytes_for(type, *count);
  if (needed == bytes) return count;
  return fail(ErrorKind::bad_input, "a tensor " + described(type, shape) + " takes " + std::to_string(needed) +
                                        " bytes, but has " + std::to_string(bytes));
}

template <class T>
double load(std::span<const std::byte> bytes, std::int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

std::uint8_t nibble(std::span<const std::byte> bytes, std::int64_t i) {
  const auto both = std::to_integer<unsigned>(bytes[static_cast<std::size_t>(i) / 2]);
  return static_cast<std::uint8_t>(i % 2 == 0 ? both & 15 : both >> 4);
}

std::uint16_t load_bits16(std::span<const std::byte> bytes, std::int64_t i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, bytes.data() + static_cast<std::size_t>(i) * 2, 2);
  return bits;
}

}  // namespace

Result<std::int64_t> element_count(const Shape& shape) {
  std::int64_t count = 1;
  bool overflowed = false;
  for (const auto dim : shape) {
    if (dim < 0) return fail(ErrorKind::bad_input, "the shape " + to_string(shape) + " has a negative dimension");
    if (!overflowed && dim > 0) overflowed = __builtin_mul_overflow(count, dim, &count);
  }
  if (std::count(shape.begin(), shape.end(), 0) > 0) return 0;  // however large the other dimensions are
  if (overflowed)
    return fail(ErrorKind::bad_input, "the shape " + to_string(shape) + " has too many elements to count");
  return count;
}

std::uint64_t bytes_for(DType type, std::int64_t count) {
  const std::uint64_t bits = bits_of(type);
  const auto elements = static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  if (bits == 4) return elements / 2 + elements % 2;
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, bits / 8, &bytes)) return std::numeric_limits<std::uint64_t>::max();
  return bytes;
}

std::string to_string(const Shape& shape) {
  constexpr std::size_t shown = 32;  // a shape from a broken file may have millions
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(shape.size(), shown); ++i) text += (i > 0 ? "," : "") + std::to_string(shape[i]);
  if (shape.size() > shown) text += ",... " + std::to_string(shape.size()) + " dimensions";
  return text + "]";
}

Result<Tensor> Tensor::from_bytes(DType type, Shape shape, std::vector<std::byte> bytes) {
  auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  const std::span<const std::byte> all(*owner);
  return view(type, std::move(shape), all, std::move(owner));
}

Result<Tensor> Tensor::view(DType type, Shape shape, std::span<const std::byte> bytes,
                            std::shared_ptr<const void> owner) {
  auto count = checked_count(type, shape, bytes.size());
  if (!count) return tl::unexpected(count.error());
  if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment_of(type) != 0) {
    return from_bytes(type, std::move(shape), std::vector<std::byte>(bytes.begin(), bytes.end()));
  }
  Tensor made;
  made.dtype_ = type;
  made.shape_ = std::move(shape);
  made.count_ = *count;
  made.bytes_ = bytes;
  made.owner_ = std::move(owner);
  return made;
}

Result<Tensor> Tensor::from_strings(Shape shape, std::vector<std::string> strings) {
  auto count = element_count(shape);
  if (!count) return tl::unexpected(count.error());
  if (static_cast<std::uint64_t>(*count) != strings.size()) {
    return fail(ErrorKind::bad_input, "a tensor " + described(DType::string, shape) + " takes " +
                                          std::to_string(*count) + " strings, but has " +
                                          std::to_string(strings.size()));
  }
  Tensor made;
  made.dtype_ = DType::string;
  made.shape_ = std::move(shape);
  made.count_ = *count;
  made.owner_ = std::make_shared<const std::vector<std::string>>(std::move(strings));
  return made;
}

std::span<const std::string> Tensor::strings() const {
  if (dtype_ != DType::string) return {};
  return *static_cast<const std::vector<std::string>*>(owner_.get());
}

double Tensor::number(std::int64_t i) const {
  switch (dtype_) {
    case DType::f32:
      return load<float>(bytes_, i);
    case DType::f64:
      return load<double>(bytes_, i);
    case DType::f16:
      return half_to_float(load_bits16(bytes_, i));
    case DType::bf16:
      return bfloat16_to_float(load_bits16(bytes_, i));
    case DType::i8:
      return load<std::int8_t>(bytes_, i);
    case DType::u8:
      return load<std::uint8_t>(bytes_, i);
    case DType::i16:
      return load<std::int16_t>(bytes_, i);
    case DType::u16:
      return load<std::uint16_t>(bytes_, i);
    case DType::i32:
      return load<std::int32_t>(bytes_, i);
    case DType::u32:
      return load<std::uint32_t>(bytes_, i);
    case DType::i64:
      return load<std::int64_t>(bytes_, i);
    case DType::u64:
      return load<std::uint64_t>(bytes_, i);
    case DType::boolean:
      return load<std::uint8_t>(bytes_, i) != 0 ? 1 : 0;
    case DType::u4:
      return nibble(bytes_, i);
    case DType::i4:
      return static_cast<double>((nibble(bytes_, i) ^ 8) - 8);
    case DType::f4e2m1:
      return decode_small(*small_format_of(dtype_), nibble(bytes_, i));
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz:
      return decode_small(*small_format_of(dtype_), std::to_integer<std::uint8_t>(bytes_[static_cast<std::size_t>(i)]));
    case DType::c64:
    case DType::c128:
    case DType::string:
    case DType::undefined:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool Tensor::identical(const Tensor& other) const {
  if (dtype_ != other.dtype_ || shape_ != other.shape_) return false;
  if (dtype_ == DType::string) return std::ranges::equal(strings(), other.strings());
  const bool half_a_byte = bits_of(dtype_) == 4 && count_ % 2 == 1;  // the last byte's upper half means nothing
  const std::size_t whole = bytes_.size() - (half_a_byte ? 1 : 0);
  if (whole > 0 && std::memcmp(bytes_.data(), other.bytes_.data(), whole) != 0) return false;
  return !half_a_byte || nibble(bytes_, count_ - 1) == nibble(other.bytes_, count_ - 1);
}

const Tensor* find_value(std::span<const NamedTensor> values, std::string_view name) {
  const auto at = std::ranges::find(values, name, &NamedTensor::name);
  return at == values.end() ? nullptr : &at->value;
}

}  // namespace culprit
