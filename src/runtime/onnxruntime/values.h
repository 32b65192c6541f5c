#pragma once
// Between our tensors and the runtime's values. These throw Ort::Exception; `guarded` catches.

#include <vector>

#include "runtime/onnxruntime/api.h"
#include "tensor/tensor.h"

namespace culprit::ort {

/// Inputs as the runtime takes them. Numeric elements are not copied where they lie on a 64-byte boundary; else they
/// are, because vectorized sums depend on the alignment of what they add, and bits must repeat.
class Feed {
 public:
  explicit Feed(const std::vector<NamedTensor>& inputs);
  [[nodiscard]] const std::vector<const char*>& names() const { return names_; }
  [[nodiscard]] const std::vector<Ort::Value>& values() const { return values_; }

 private:
  void add(const Tensor& tensor);
  void* aligned(std::span<const std::byte> bytes);
  std::vector<const char*> names_;
  std::vector<Ort::Value> values_;
  std::vector<std::unique_ptr<std::byte[]>> copies_;
};

/// A copy of an output. What it is, is asked of the value, never of the model's declarations.
Result<Tensor> tensor_from(Ort::Value& value, const std::string& output);

}  // namespace culprit::ort
