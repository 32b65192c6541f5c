#pragma once
// Any binary floating-point format of up to 16 bits, described by a few numbers. Private to this room: it is what
// `cast` rounds with, straight from double, because going through float would round twice.

#include <cstdint>

#include "tensor/dtype.h"

namespace culprit {

/// What stands at the upper end of the codes.
enum class Top {
  ieee,    ///< infinities, and NaNs above them
  fn,      ///< the highest code is NaN, there is no infinity
  fnuz,    ///< the code of -0 is the only NaN, there is no infinity and no -0
  finite,  ///< neither
};

struct SmallFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Top top;
  bool saturates;  ///< too large becomes the largest: ONNX's Cast to 8 and 4 bits, where `saturate` is the default
};

/// nullptr for types that are not small floats.
const SmallFormat* small_format_of(DType type);

/// Rounds to nearest even. Infinities and NaN: the tables in ONNX's docs/docsgen/source/technical/float8.md and
/// float4.md.
std::uint16_t encode_small(const SmallFormat& format, double value);
double decode_small(const SmallFormat& format, std::uint16_t bits);

}  // namespace culprit
