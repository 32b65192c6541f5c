#pragma once
// What is known of the values that the nodes of one graph see, while its shapes are inferred.

#include <onnx/onnx_pb.h>

#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

#include "cost/value_shape.h"

namespace culprit {

/// The values of a graph and, in a body, those around it.
class ShapeScope {
 public:
  explicit ShapeScope(const ShapeScope* outer = nullptr) : outer_(outer) {}

  /// nullptr where nothing is known.
  [[nodiscard]] const onnx::TypeProto* type(const std::string& name) const;
  /// The elements of a stored value: only of small ones, whose size is as type and shape ask.
  [[nodiscard]] const onnx::TensorProto* data(const std::string& name) const;
  /// Integers that follow from shapes, as ONNX's data propagation keeps them; the unknown ones have no number.
  [[nodiscard]] const onnx::TensorShapeProto* integers(const std::string& name) const;
  /// The one number of a stored integer or truth value, or one that follows from shapes.
  [[nodiscard]] std::optional<std::int64_t> number(const std::string& name) const;

  /// Sizes that cannot be are dropped on the way (cost/value_shape.h).
  void set_type(const std::string& name, const onnx::TypeProto& type);
  /// A stored value: its type, and its elements where they may be looked at. The tensor has to outlive the scope.
  void set_stored(const std::string& name, const onnx::TensorProto& tensor);
  void set_integers(const std::string& name, onnx::TensorShapeProto integers);
  /// Takes all that is known of `name` in another scope; for the inputs of functions.
  void bind(const std::string& inside, const ShapeScope& from, const std::string& name);
  /// A tensor that lives as long as the scope.
  onnx::TensorProto& make_tensor() { return made_.emplace_back(); }

 private:
  const ShapeScope* outer_;
  std::unordered_map<std::string, onnx::TypeProto> types_;
  std::unordered_map<std::string, const onnx::TensorProto*> data_;
  std::unordered_map<std::string, onnx::TensorShapeProto> integers_;
  std::deque<onnx::TensorProto> made_;
};

/// The shape of a node's input `i`; an input that is left out or not known has no name and no sizes.
ValueShape shape_at(const onnx::NodeProto& node, const ShapeScope& scope, int i);

/// The type that a stored tensor has.
onnx::TypeProto type_of(const onnx::TensorProto& tensor);

}  // namespace culprit
