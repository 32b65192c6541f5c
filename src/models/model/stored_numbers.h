#pragma once
// Numbers that a model holds whatever it is fed: stored ones, and what a few operators make of stored ones (a table
// that is transposed, kept in 8 bits with a scale, put together of halves).

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensor/tensor.h"

namespace onnx {
class ModelProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

struct StoredNumbers {
  Shape shape;
  std::vector<float> numbers;

  bool operator==(const StoredNumbers&) const = default;
};

class StoredValues {
 public:
  /// The model must outlive it. Names are not told apart by scope.
  explicit StoredValues(const onnx::ModelProto& model);

  /// The tensor of that name, of an initializer or a Constant; nullptr where it is none, or lies in another file.
  [[nodiscard]] const onnx::TensorProto* tensor(const std::string& name) const;
  /// The node that makes the value; nullptr for none.
  [[nodiscard]] const onnx::NodeProto* maker(const std::string& name) const;
  /// Behind Identity, Cast to floats, Transpose, Concat, DequantizeLinear (one scale, or one for each place along an
  /// axis), Add, Sub, Mul and Div as well. Nothing for other values, texts, and more than 256 MB of floats.
  [[nodiscard]] std::optional<StoredNumbers> numbers(const std::string& name) const;

 private:
  std::unordered_map<std::string, const onnx::TensorProto*> stored_;
  std::unordered_map<std::string, const onnx::NodeProto*> makers_;
};

}  // namespace culprit
