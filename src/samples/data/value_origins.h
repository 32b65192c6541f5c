#pragma once
// From which elements of the inputs an element of a value inside a graph comes, as far as only cheap operators lie
// between: then a wish for a value in there can be granted by an input. Operators are followed from the value back to
// the inputs; the shapes come forward from the sample, so no shape inference is needed.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/body_inputs.h"
#include "tensor/tensor.h"

namespace onnx {
class GraphProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

/// One element: `scale` x input element + `offset`.
struct ElementOrigin {
  static constexpr std::int32_t constant = -1;
  std::int32_t input = constant;  ///< by number in the sample; `constant`: it is always `offset`
  bool clipped = false;           ///< through a Relu: nothing below 0 arrives
  std::int64_t index = 0;         ///< of the element in that input
  double scale = 1, offset = 0;
};

struct Origins {
  DType dtype = DType::undefined;
  Shape shape;
  std::vector<ElementOrigin> elements;
};

/// Follows Identity, Dropout (as in inference), Cast between floats, Neg, Relu, Add, Sub, Mul and Div with a constant,
/// BatchNormalization (as in inference), Transpose, Reshape, Flatten, Squeeze, Unsqueeze, Slice, Concat, Pad (with a
/// constant) and Gather by constant indices. Out of the bodies of If, Loop and Scan as well: what a body has when it
/// runs for the first time. Sizes are bounded: what is larger than a million elements is not followed.
class OriginFinder {
 public:
  /// `graph` and `inputs` (a sample) must live as long. A name among `inputs` is an input, also where it has a default.
  OriginFinder(const onnx::GraphProto& graph, std::span<const NamedTensor> inputs);

  /// nullptr where it does not come from the inputs by these operators alone.
  const Origins* of(const std::string& value);

 private:
  std::unique_ptr<Origins> find(const std::string& value);
  std::unique_ptr<Origins> into_body(const std::string& value);
  std::unique_ptr<Origins> through(const onnx::NodeProto& node);
  std::unique_ptr<Origins> with_constant(const onnx::NodeProto& node);
  std::unique_ptr<Origins> normalized(const onnx::NodeProto& node);
  std::unique_ptr<Origins> moved(const onnx::NodeProto& node);
  std::unique_ptr<Origins> reshaped(const onnx::NodeProto& node);
  std::unique_ptr<Origins> joined(const onnx::NodeProto& node);
  const Origins* input_of(const onnx::NodeProto& node, int place);
  [[nodiscard]] std::unique_ptr<Tensor> constant(const std::string& name) const;
  [[nodiscard]] std::unique_ptr<Tensor> constant(const onnx::NodeProto& node, int place) const;

  std::span<const NamedTensor> inputs_;
  std::unordered_map<std::string, const onnx::NodeProto*> makers_;
  std::unordered_map<std::string, const onnx::TensorProto*> constants_;
  std::unordered_map<std::string, BodyInput> body_inputs_;
  std::unordered_map<std::string, std::unique_ptr<Origins>> found_;
  int depth_ = 0;
  std::int64_t elements_ = 0;  // held in `found_`
};

}  // namespace culprit
