#pragma once
// A node and what its scope knows, as ONNX's shape inference and data propagation ask for it.

#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <deque>
#include <string>
#include <vector>

#include "cost/shape_scope.h"

namespace culprit {

class NodeInferenceContext : public onnx::InferenceContext {
 public:
  NodeInferenceContext(const onnx::NodeProto& node, const ShapeScope& scope);

  [[nodiscard]] const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  [[nodiscard]] std::size_t getNumInputs() const override { return types_.size(); }
  [[nodiscard]] const onnx::TypeProto* getInputType(std::size_t i) const override;
  [[nodiscard]] const onnx::TensorProto* getInputData(std::size_t i) const override;
  [[nodiscard]] const onnx::SparseTensorProto* getInputSparseData(std::size_t) const override { return nullptr; }
  [[nodiscard]] const onnx::TensorShapeProto* getSymbolicInput(std::size_t i) const override;
  [[nodiscard]] std::size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(std::size_t i) override;
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override;

 private:
  const onnx::NodeProto& node_;
  const ShapeScope& scope_;
  std::deque<onnx::TypeProto> types_;
  std::vector<onnx::TypeProto> outputs_;
};

class NodePropagationContext : public onnx::DataPropagationContext {
 public:
  NodePropagationContext(const onnx::NodeProto& node, ShapeScope& scope) : node_(node), scope_(scope) {}

  [[nodiscard]] const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  [[nodiscard]] std::size_t getNumInputs() const override { return static_cast<std::size_t>(node_.input_size()); }
  [[nodiscard]] const onnx::TypeProto* getInputType(std::size_t i) const override;
  [[nodiscard]] std::size_t getNumOutputs() const override { return static_cast<std::size_t>(node_.output_size()); }
  [[nodiscard]] const onnx::TypeProto* getOutputType(std::size_t i) const override;
  const onnx::TensorShapeProto* getInputData(std::size_t i) override;
  void addOutputData(std::size_t i, onnx::TensorShapeProto&& integers) override;

 private:
  const onnx::NodeProto& node_;
  ShapeScope& scope_;
  std::deque<onnx::TensorShapeProto> read_;
};

}  // namespace culprit
