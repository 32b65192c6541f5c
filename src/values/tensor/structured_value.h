#pragma once
// Values that are no plain tensors: sequences, maps, optionals. The judge and the packs know tensors only, so such a
// value is flattened into named parts where it leaves the runtime or a file, and put together where it is fed. A value
// named x becomes
//
//   a tensor                x
//   a map                   x.keys [n], x.values [n], sorted by key
//   a sequence of tensors   x.length, x[0], x[1], ...
//     of more than 64       x.length, x.ranks [n], x.shapes, x.values: sizes and elements one behind the other
//   a sequence of maps      x.length, x.keys [k], x.values [n,k] where all have the same keys (ZipMap: a map a row);
//                           else x.length, x.sizes [n], x.keys, x.values: the maps one behind the other
//   an optional             x.present, and behind it what is inside, if anything is
//
// so that a thousand rows are three tensors and a report stays readable. Counts and sizes are int64, `present` is bool.
// Parts of one value follow each other. Deeper nesting than this is refused: ONNX Runtime has no such inputs or
// outputs. ONNX IR, "Standard data types" (docs/IR.md): https://onnx.ai/onnx/repo-docs/IR.html

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

struct Value {
  enum class Kind { tensor, map, sequence, optional };
  Kind kind = Kind::tensor;
  Tensor tensor = {};             ///< of a tensor
  Tensor keys = {}, values = {};  ///< of a map: one dimension each, equally long; keys are int64 or strings
  std::vector<Value> items = {};  ///< of a sequence its elements; of an optional what is inside, or nothing
};
std::string_view name_of(Value::Kind kind);  ///< "tensor", "map", "sequence", "optional"

/// More elements of a sequence than this are no longer parts of their own.
constexpr std::size_t most_parts = 64;

/// Errors name the value: a map with a key twice (bad_input) or with other keys than int64 and strings, elements of
/// different types or of mixed kinds, deeper nesting (unsupported).
Result<std::vector<NamedTensor>> flatten(const std::string& name, const Value& value);
/// The way back, for the parts of one value. Parts that do not belong together are ErrorKind::bad_input.
Result<Value> assemble(std::span<const NamedTensor> parts);

/// The parts of each value, in order.
std::vector<std::span<const NamedTensor>> values_in(std::span<const NamedTensor> tensors);
/// What the parts of one value stand for.
Value::Kind kind_of(std::span<const NamedTensor> parts);
/// Does a part tell the form of its value (.length, .keys, .present, ...) rather than what it holds?
bool is_form(std::string_view part);

/// What parts are called in reports, one name for each tensor: name and part, "probabilities.keys". Where another value
/// has that very name (an output may be called "x.length"), the value gets apostrophes: "x'.length". Depends on the
/// names of the values alone, not on their parts.
std::vector<std::string> labels_of(std::span<const NamedTensor> tensors);

}  // namespace culprit
