#include "tensor/dtype.h"

#include <algorithm>
#include <array>
#include <string>

namespace culprit {
namespace {

enum class NumberKind { other, real, integer };

struct Facts {
  DType type;
  std::size_t bits;
  NumberKind kind;
  std::string_view name;
  std::array<std::string_view, 3> aliases;  ///< ONNX's, C's, ours; in lower case
};

// In the order of ONNX's numbers, so that a type is its own index.
constexpr std::array<Facts, 24> table{{
    {DType::undefined, 0, NumberKind::other, "undefined", {}},
    {DType::f32, 32, NumberKind::real, "float32", {"float", "f32"}},
    {DType::u8, 8, NumberKind::integer, "uint8", {"u8", "uint8_t", "byte"}},
    {DType::i8, 8, NumberKind::integer, "int8", {"i8", "int8_t"}},
    {DType::u16, 16, NumberKind::integer, "uint16", {"u16", "uint16_t"}},
    {DType::i16, 16, NumberKind::integer, "int16", {"i16", "int16_t"}},
    {DType::i32, 32, NumberKind::integer, "int32", {"i32", "int32_t", "int"}},
    {DType::i64, 64, NumberKind::integer, "int64", {"i64", "int64_t", "long"}},
    {DType::string, 0, NumberKind::other, "string", {"str"}},
    {DType::boolean, 8, NumberKind::other, "bool", {"boolean"}},
    {DType::f16, 16, NumberKind::real, "float16", {"half", "f16"}},
    {DType::f64, 64, NumberKind::real, "float64", {"double", "f64"}},
    {DType::u32, 32, NumberKind::integer, "uint32", {"u32", "uint32_t"}},
    {DType::u64, 64, NumberKind::integer, "uint64", {"u64", "uint64_t"}},
    {DType::c64, 64, NumberKind::other, "complex64", {"c64"}},
    {DType::c128, 128, NumberKind::other, "complex128", {"c128"}},
    {DType::bf16, 16, NumberKind::real, "bfloat16", {"bf16"}},
    {DType::f8e4m3fn, 8, NumberKind::real, "float8e4m3fn", {"f8e4m3fn", "float8_e4m3fn"}},
    {DType::f8e4m3fnuz, 8, NumberKind::real, "float8e4m3fnuz", {"f8e4m3fnuz", "float8_e4m3fnuz"}},
    {DType::f8e5m2, 8, NumberKind::real, "float8e5m2", {"f8e5m2", "float8_e5m2"}},
    {DType::f8e5m2fnuz, 8, NumberKind::real, "float8e5m2fnuz", {"f8e5m2fnuz", "float8_e5m2fnuz"}},
    {DType::u4, 4, NumberKind::integer, "uint4", {"u4"}},
    {DType::i4, 4, NumberKind::integer, "int4", {"i4"}},
    {DType::f4e2m1, 4, NumberKind::real, "float4e2m1", {"f4e2m1", "float4_e2m1fn", "float4_e2m1"}},
}};

constexpr bool ordered() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].type) != i) return false;
  }
  return true;
}
static_assert(ordered());

const Facts& facts_of(DType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < table.size() ? table[index] : table[0];
}

}  // namespace

std::string_view name_of(DType type) { return facts_of(type).name; }

std::optional<DType> dtype_named(std::string_view name) {
  std::string wanted(name);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (wanted.empty()) return std::nullopt;
  for (const auto& facts : table) {
    if (facts.type == DType::undefined) continue;
    if (facts.name == wanted || std::count(facts.aliases.begin(), facts.aliases.end(), wanted) > 0) return facts.type;
  }
  return std::nullopt;
}

std::optional<DType> dtype_from_onnx(std::int32_t number) {
  if (number <= 0 || static_cast<std::size_t>(number) >= table.size()) return std::nullopt;
  return static_cast<DType>(number);
}

std::size_t bits_of(DType type) { return facts_of(type).bits; }
bool is_float(DType type) { return facts_of(type).kind == NumberKind::real; }
bool is_integer(DType type) { return facts_of(type).kind == NumberKind::integer; }

}  // namespace culprit
