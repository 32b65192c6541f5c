#pragma once
// Small tensors whose elements are known before anything runs: shapes, pads, sizes and scales on their way to the node
// that takes them.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

/// Whole numbers (integers and truth values) or, of floats, real ones.
struct SmallValue {
  DType dtype = DType::i64;
  Shape shape = {};
  std::vector<std::int64_t> whole = {};
  std::vector<double> real = {};

  [[nodiscard]] bool is_real() const { return is_float(dtype); }
  [[nodiscard]] std::size_t count() const { return is_real() ? real.size() : whole.size(); }
  [[nodiscard]] double number(std::size_t i) const { return is_real() ? real[i] : static_cast<double>(whole[i]); }
  /// The elements at these places, in another shape.
  [[nodiscard]] SmallValue pick(const std::vector<std::size_t>& places, Shape shape) const;
  /// Repeated along axes that it lacks or has once; nothing where the shapes do not fit.
  [[nodiscard]] std::optional<SmallValue> broadcast_to(const Shape& target) const;
  [[nodiscard]] std::optional<SmallValue> cast_to(DType type) const;
};

/// At most so many elements are looked at.
constexpr std::size_t most_small_elements = 1024;

/// Reads float32, float64, int32, int64 and bool; gives nothing for other types and for more elements.
std::optional<SmallValue> small_value(const onnx::TensorProto& tensor);
void write_small(const SmallValue& value, onnx::TensorProto& tensor);

/// Elements from one index along an axis to the next, by axis.
std::vector<std::size_t> steps_of(const Shape& shape);
/// 0 where the shape cannot be.
std::size_t elements_of(const Shape& shape);

}  // namespace culprit
