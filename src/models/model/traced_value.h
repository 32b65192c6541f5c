#pragma once
// What is known of a value of a graph while the uses of its inputs are read: where its elements come from, its shape,
// and its number where it is a constant.

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/model.h"

namespace culprit {

/// An input of the model that gives elements to a value.
struct InputOrigin {
  std::string input;
  std::int64_t offset = 0;  ///< added on the way
  bool is_whole = true;     ///< false: one part of the value among others
  bool is_derived = false;  ///< only which elements are zero comes from there
  bool operator==(const InputOrigin&) const = default;
};

struct TracedValue {
  std::vector<InputOrigin> origins = {};
  std::optional<std::vector<Dim>> shape = {};
  std::optional<double> number = {};          ///< of constants that are one number
  const onnx::TensorProto* tensor = nullptr;  ///< of stored ones
  std::string table = {};                     ///< the stored tensor or input that its elements come from
};

/// The values that a graph sees: its own and, in a body, those around it.
struct Scope {
  std::unordered_map<std::string, TracedValue> values = {};
  std::unordered_map<std::string, std::vector<Dim>> declared = {};  ///< shapes that the graph states for its values
  const Scope* outer = nullptr;

  /// nullptr where nothing is known of it; also for "", an omitted input.
  [[nodiscard]] const TracedValue* find(const std::string& name) const;
};

const onnx::AttributeProto* attribute_of(const onnx::NodeProto& node, std::string_view name);
std::int64_t integer_of(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise);

TracedValue value_of(const onnx::TensorProto& stored, const std::string& name);
/// The shape of a tensor type; nothing where its rank is not known. Open dimensions of an input without a name are
/// called as --dim calls them: "<input>.<axis>".
std::optional<std::vector<Dim>> declared_shape(const onnx::ValueInfoProto& declared, bool is_input);
/// A Constant node's.
std::optional<TracedValue> constant_of(const onnx::NodeProto& node);
/// The axes that an attribute or a constant second input names; nothing where neither does.
std::optional<std::vector<std::int64_t>> axes_of(const onnx::NodeProto& node,
                                                 const std::vector<const TracedValue*>& inputs);
/// The shape of what an operator makes of its first input, where that is easy to say.
std::optional<std::vector<Dim>> shape_behind(const onnx::NodeProto& node,
                                             const std::vector<const TracedValue*>& inputs);

}  // namespace culprit
