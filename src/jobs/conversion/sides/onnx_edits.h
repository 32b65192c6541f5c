#pragma once
// Edits (edits/edit.h) made in an ONNX model. Private to this folder.

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conversion/edits/edit.h"

namespace culprit {

class OnnxEdits {
 public:
  /// `network`: as read_onnx_network reads `model`. Both must outlive it.
  OnnxEdits(onnx::ModelProto& model, const Network& network);

  /// Changes the model. Errors: unsupported (names the edit).
  Result<void> make(const std::vector<Edit>& edits);
  /// What whoever looks at the value finds it under now.
  [[nodiscard]] const std::string& shown(int value) const;
  /// What an output of the network gives now.
  [[nodiscard]] const std::string& shown_at(std::size_t output) const;
  /// Names of constants, and of what stands in their place.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& replaced() const { return replaced_; }

 private:
  Result<void> make_one(const SetConstant& edit);
  Result<void> make_one(const SetHyper& edit);
  Result<void> make_one(const SetType& edit);
  Result<void> make_one(const Bypass& edit);
  Result<void> make_one(const InsertBehind& edit);
  Result<void> make_one(const SetInput& edit);
  Result<void> make_one(const SetOutput& edit);

  [[nodiscard]] onnx::NodeProto& node_of(int layer);
  [[nodiscard]] std::string new_name();
  std::string add_constant(const Tensor& tensor);
  static void set_input(onnx::NodeProto& node, std::size_t at, const std::string& name);
  void set_type(onnx::NodeProto& node, const std::string& type);
  /// False: the operator has no such hyper-parameter in the model's opset.
  [[nodiscard]] Result<bool> set_hyper(onnx::NodeProto& node, const std::string& name, const Hyper& hyper, DType data);
  [[nodiscard]] DType type_of(int value) const;
  [[nodiscard]] DType type_of_data(int layer) const;

  onnx::ModelProto& model_;
  const Network& network_;
  std::map<std::string, int> versions_;
  std::map<int, std::string> instead_;  // by value
  std::map<std::size_t, int> outputs_;  // values that outputs were given
  std::set<std::string> taken_;         // names
  std::vector<std::pair<std::string, std::string>> replaced_;
  int number_ = 0;
};

}  // namespace culprit
