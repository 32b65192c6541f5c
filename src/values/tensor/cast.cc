// tensor/tensor.h: cast

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "tensor/small_float.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

constexpr std::int64_t chunk_size = 4096;  // elements converted at a time, by way of the widest type of their kind

bool is_complex(DType type) { return type == DType::c64 || type == DType::c128; }
bool is_unsigned(DType type) {
  return type == DType::u4 || type == DType::u8 || type == DType::u16 || type == DType::u32 || type == DType::u64 ||
         type == DType::boolean;
}

template <class T>
T load(const Tensor& tensor, std::int64_t i) {
  T value;
  std::memcpy(&value, tensor.bytes().data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
  return value;
}

/// Fits an integer or a rounded double into [low, high], which are limits of an integer type of up to 64 bits.
template <class Out, class In>
Out saturated(In value, Out low, Out high) {
  if constexpr (std::is_floating_point_v<In>) {
    if (std::isnan(value)) return 0;
    const In rounded = std::nearbyint(value);  // ties to even, the mode every program starts in
    if (rounded <= static_cast<In>(low)) return low;
    if (rounded >= static_cast<In>(high)) return high;  // 2^63 - 1 becomes 2^63 here, which is right for >=
    return static_cast<Out>(rounded);
  } else {
    if (std::cmp_less(value, low)) return low;
    if (std::cmp_greater(value, high)) return high;
    return static_cast<Out>(value);
  }
}

/// A double that rounds to any smaller format as the integer itself would: exact, or odd in its last bit.
double rounded_to_odd(std::uint64_t magnitude) {
  const int excess = std::max(0, 11 - std::countl_zero(magnitude));
  const std::uint64_t lost = magnitude & ((UINT64_C(1) << excess) - 1);
  return std::ldexp(static_cast<double>((magnitude >> excess) | (lost != 0 ? 1U : 0U)), excess);
}

double for_rounding(double value) { return value; }
double for_rounding(std::uint64_t value) { return rounded_to_odd(value); }
double for_rounding(std::int64_t value) {
  return value < 0 ? -rounded_to_odd(0 - static_cast<std::uint64_t>(value))
                   : rounded_to_odd(static_cast<std::uint64_t>(value));
}

/// Writes elements from `first` on; nibbles are or-ed into bytes that begin as zero.
class Writer {
 public:
  Writer(DType type, std::vector<std::byte>& bytes) : type_(type), bytes_(bytes) {}

  template <class In>
  void write(const std::vector<In>& values, std::int64_t first) {
    switch (type_) {
      case DType::f32:
        return plain<float>(values, first);
      case DType::f64:
        return plain<double>(values, first);
      case DType::i8:
        return integers<std::int8_t>(values, first);
      case DType::u8:
        return integers<std::uint8_t>(values, first);
      case DType::i16:
        return integers<std::int16_t>(values, first);
      case DType::u16:
        return integers<std::uint16_t>(values, first);
      case DType::i32:
        return integers<std::int32_t>(values, first);
      case DType::u32:
        return integers<std::uint32_t>(values, first);
      case DType::i64:
        return integers<std::int64_t>(values, first);
      case DType::u64:
        return integers<std::uint64_t>(values, first);
      case DType::i4:
        return each(values, first, [this](std::int64_t i, In v) { nibble(i, saturated<int, In>(v, -8, 7)); });
      case DType::u4:
        return each(values, first, [this](std::int64_t i, In v) { nibble(i, saturated<int, In>(v, 0, 15)); });
      case DType::boolean:
        return each(values, first, [this](std::int64_t i, In v) { put<std::uint8_t>(i, v != 0 ? 1 : 0); });
      default:
        return small_floats(values, first);
    }
  }

 private:
  template <class Out>
  void put(std::int64_t i, Out value) {
    std::memcpy(bytes_.data() + static_cast<std::size_t>(i) * sizeof(Out), &value, sizeof(Out));
  }
  void nibble(std::int64_t i, int value) {
    const auto bits = static_cast<unsigned>(value) & 15U;
    bytes_[static_cast<std::size_t>(i) / 2] |= static_cast<std::byte>(i % 2 == 0 ? bits : bits << 4);
  }
  template <class In, class Put>
  static void each(const std::vector<In>& values, std::int64_t first, const Put& put_one) {
    for (const auto value : values) put_one(first++, value);
  }
  template <class Out, class In>
  void plain(const std::vector<In>& values, std::int64_t first) {
    each(values, first, [this](std::int64_t i, In v) { put<Out>(i, static_cast<Out>(v)); });
  }
  template <class Out, class In>
  void integers(const std::vector<In>& values, std::int64_t first) {
    using Limits = std::numeric_limits<Out>;
    each(values, first,
         [this](std::int64_t i, In v) { put<Out>(i, saturated<Out, In>(v, Limits::min(), Limits::max())); });
  }
  template <class In>
  void small_floats(const std::vector<In>& values, std::int64_t first) {
    const SmallFormat& format = *small_format_of(type_);
    const std::size_t bits = bits_of(type_);
    each(values, first, [this, &format, bits](std::int64_t i, In v) {
      const std::uint16_t code = encode_small(format, for_rounding(v));
      if (bits == 16) return put<std::uint16_t>(i, code);
      if (bits == 8) return put<std::uint8_t>(i, static_cast<std::uint8_t>(code));
      nibble(i, code);
    });
  }

  DType type_;
  std::vector<std::byte>& bytes_;
};

/// Only 64-bit integers need more than the double that `number` gives.
template <class Wide>
Wide read_one(const Tensor& tensor, std::int64_t i) {
  if constexpr (!std::is_floating_point_v<Wide>) {
    if (bits_of(tensor.dtype()) == 64) return load<Wide>(tensor, i);
  }
  return static_cast<Wide>(tensor.number(i));
}

template <class Wide>
void convert(const Tensor& from, Writer writer) {
  std::vector<Wide> values;
  for (std::int64_t first = 0; first < from.count(); first += chunk_size) {
    const std::int64_t end = std::min(from.count(), first + chunk_size);
    values.clear();
    for (std::int64_t i = first; i < end; ++i) values.push_back(read_one<Wide>(from, i));
    writer.write(values, first);
  }
}

template <class In, class Out>
void convert_complex(const Tensor& from, std::vector<std::byte>& bytes) {
  for (std::int64_t i = 0; i < 2 * from.count(); ++i) {
    const auto value = static_cast<Out>(load<In>(from, i));
    std::memcpy(bytes.data() + static_cast<std::size_t>(i) * sizeof(Out), &value, sizeof(Out));
  }
}

}  // namespace

Result<Tensor> cast(const Tensor& tensor, DType to) {
  const DType from = tensor.dtype();
  if (from == to && to != DType::undefined) return tensor;
  if (bits_of(from) == 0 || bits_of(to) == 0 || is_complex(from) != is_complex(to)) {
    return fail(ErrorKind::unsupported, "a tensor of type " + std::string(name_of(from)) + " cannot be converted to " +
                                            std::string(name_of(to)));
  }
  std::vector<std::byte> bytes(bytes_for(to, tensor.count()));
  if (from == DType::c64) {
    convert_complex<float, double>(tensor, bytes);
  } else if (from == DType::c128) {
    convert_complex<double, float>(tensor, bytes);
  } else if (is_float(from)) {
    convert<double>(tensor, Writer(to, bytes));
  } else if (is_unsigned(from)) {
    convert<std::uint64_t>(tensor, Writer(to, bytes));
  } else {
    convert<std::int64_t>(tensor, Writer(to, bytes));
  }
  return Tensor::from_bytes(to, tensor.shape(), std::move(bytes));
}

}  // namespace culprit
