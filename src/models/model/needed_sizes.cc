#include "model/needed_sizes.h"

#include <algorithm>
#include <optional>

namespace culprit {
namespace {

/// The sizes of a value that the model stores.
std::vector<std::int64_t> stored_shape(const std::vector<const TracedValue*>& inputs, std::size_t slot) {
  if (slot >= inputs.size() || inputs[slot] == nullptr || inputs[slot]->tensor == nullptr) return {};
  const auto& dims = inputs[slot]->tensor->dims();
  return {dims.begin(), dims.end()};
}

class Needs {
 public:
  Needs(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs,
        std::map<std::string, std::int64_t>& sizes)
      : node_(node), inputs_(inputs), sizes_(sizes) {}

  void add() {
    const std::string& op = node_.op_type();
    const auto weight = stored_shape(inputs_, 1);
    if (op == "Squeeze") squeezed();
    if (op == "MatMul" && weight.size() > 1) need(0, -1, weight[weight.size() - 2]);
    if (op == "Gemm" && weight.size() == 2 && integer_of(node_, "transA", 0) == 0)
      need(0, 1, weight[integer_of(node_, "transB", 0) != 0 ? 1 : 0]);
    if (op == "Conv" && weight.size() > 2) need(0, 1, weight[1] * integer_of(node_, "group", 1));
    if (op == "ConvTranspose" && weight.size() > 2) need(0, 1, weight[0]);
    if ((op == "BatchNormalization" || op == "InstanceNormalization") && weight.size() == 1) need(0, 1, weight[0]);
    if (op == "LayerNormalization" && !weight.empty()) need(0, -1, weight.back());
    if ((op == "LSTM" || op == "GRU" || op == "RNN") && weight.size() == 3) need(0, 2, weight[2]);
    if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div") {
      broadcast(0, weight);
      broadcast(1, stored_shape(inputs_, 0));
    }
  }

 private:
  void need(std::size_t slot, std::int64_t axis, std::int64_t size) {
    if (slot >= inputs_.size() || inputs_[slot] == nullptr || !inputs_[slot]->shape || size < 1) return;
    const std::vector<Dim>& shape = *inputs_[slot]->shape;
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t counted = axis < 0 ? axis + rank : axis;
    if (counted < 0 || counted >= rank) return;
    const Dim& dim = shape[static_cast<std::size_t>(counted)];
    if (!dim.value && !dim.name.empty()) sizes_.emplace(dim.name, size);
  }

  void squeezed() {
    const auto axes = axes_of(node_, inputs_);
    if (!axes) return;
    for (const std::int64_t axis : *axes) need(0, axis, 1);
  }

  /// What is more than 1 wide there is as wide here, or 1.
  void broadcast(std::size_t slot, const std::vector<std::int64_t>& weight) {
    for (std::size_t back = 1; back <= weight.size(); ++back) {
      const std::int64_t size = weight[weight.size() - back];
      if (size > 1) need(slot, -static_cast<std::int64_t>(back), size);
    }
  }

  const onnx::NodeProto& node_;
  const std::vector<const TracedValue*>& inputs_;
  std::map<std::string, std::int64_t>& sizes_;
};

}  // namespace

void add_needs(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs,
               std::map<std::string, std::int64_t>& sizes) {
  Needs(node, inputs, sizes).add();
}

}  // namespace culprit
