#pragma once
// Conversions between float and the small float formats, bit by bit (IEEE 754 binary16, bfloat16), round to nearest
// even.

#include <cstdint>

namespace culprit {

float half_to_float(std::uint16_t bits);
std::uint16_t float_to_half(float value);
float bfloat16_to_float(std::uint16_t bits);
std::uint16_t float_to_bfloat16(float value);
/// The OCP 8-bit formats and their "fnuz" cousins, as ONNX defines them. `kind` is a DType of the f8 family.
float float8_to_float(std::uint8_t bits, int onnx_type);

}  // namespace culprit
