#pragma once
// Edits (edits/edit.h) made in a graph of TensorFlow. Private to this folder.

#include <map>
#include <string>
#include <vector>

#include "conversion/edits/edit.h"
#include "conversion/sides/tensorflow_plan.h"

namespace culprit {

class TensorflowEdits {
 public:
  TensorflowEdits(TensorflowPlan& plan, const Network& network) : plan_(plan), network_(network) {}

  /// Errors: unsupported (names the edit).
  Result<void> make(const std::vector<Edit>& edits);
  /// The tensor that whoever looks at the value finds it in now.
  [[nodiscard]] const std::string& shown(int value) const;

 private:
  Result<void> make_one(const SetConstant& edit);
  Result<void> make_one(const SetHyper& edit);
  Result<void> make_one(const SetType& edit);
  Result<void> make_one(const Bypass& edit);
  Result<void> make_one(const InsertBehind& edit);
  Result<void> make_one(const SetInput& edit);
  Result<void> make_one(const SetOutput& edit);
  [[nodiscard]] DType type_of(int value) const;
  [[nodiscard]] DType type_of_data(int layer) const;

  /// A constant for what stood in the place of `like`; -1: for nothing.
  Result<std::string> constant_like(const Tensor& tensor, int like);
  Result<void> add_bias(int layer, const Tensor& bias);
  void use_instead(int value, const std::string& tensor, const tensorflow::Node* but);
  /// False: none of its inputs holds it.
  Result<bool> set_hyper_input(int layer, const std::string& name, const Hyper& hyper);
  Result<void> set_slice(int layer, const std::string& name, const Hyper& hyper);
  Result<std::string> integers_like(const std::vector<std::int64_t>& numbers, const Shape& shape, DType type);
  /// Makes of a node the operator that ONNX calls so; it takes one value, or as many as the node takes now.
  Result<void> set_type(tensorflow::Node& node, const std::string& type, const std::map<std::string, Hyper>& hyper,
                        DType data);
  Result<void> set_window(tensorflow::Node& node, const std::map<std::string, Hyper>& hyper);

  TensorflowPlan& plan_;
  const Network& network_;
  std::map<int, std::string> instead_;                        // by value
  std::map<int, std::map<std::string, Hyper>> set_by_layer_;  // what edits have said so far
};

}  // namespace culprit
