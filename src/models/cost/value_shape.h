#pragma once
// What is known of a value before anything runs: its element type and its sizes, as far as they are known.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tensor/dtype.h"
#include "tensor/tensor.h"

namespace onnx {
class TypeProto;
}

namespace culprit {

/// A figure that rests on something unknown.
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Shapes that samples give to the inputs of a graph, by name.
using InputShapes = std::map<std::string, Shape>;

/// What somebody saw of a value in a run.
struct SeenValue {
  DType dtype = DType::undefined;  ///< undefined: as the graph says
  Shape shape;
  Tensor elements = {};  ///< of the seen type and shape, where they steer what is run: a rate, a count of turns
};
/// By the names that values have in the main graph.
using SeenValues = std::map<std::string, SeenValue>;

/// A sample as what was seen: types and shapes, and the elements of small tensors of whole numbers. Parts of values
/// that are no tensors are left out.
SeenValues seen_values(const std::vector<NamedTensor>& sample);

/// A value at one place of a node. What is not known is NaN in the figures below, and every figure that rests on it is.
struct ValueShape {
  std::string name = {};  ///< "": an optional one that is left out
  DType dtype = DType::undefined;
  std::optional<std::vector<std::int64_t>> dims = {};  ///< nothing: the rank is not known; -1: this size is not known

  [[nodiscard]] bool is_there() const { return !name.empty(); }
  [[nodiscard]] int rank() const { return dims ? static_cast<int>(dims->size()) : -1; }
  /// The size along an axis; negative ones count from the end. NaN where there is no such axis.
  [[nodiscard]] double dim(int axis) const;
  /// The product of sizes from axis `from` up to before `to`; negative ones count from the end.
  [[nodiscard]] double product(int from, int to) const;
  [[nodiscard]] double product(int from) const { return product(from, rank()); }
  [[nodiscard]] double count() const { return product(0); }  ///< elements; 1 for a scalar
  [[nodiscard]] double bytes() const;  ///< of all elements; NaN for texts, sequences and what has no type
  bool operator==(const ValueShape&) const = default;
};

/// Reads the shape of a declared or inferred type; sizes that cannot be (negative, beyond 2^48) and ranks beyond 64 are
/// not known.
ValueShape value_shape(const std::string& name, const onnx::TypeProto& type);

}  // namespace culprit
