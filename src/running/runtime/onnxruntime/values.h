#pragma once
// Between our tensors and the runtime's values. These throw Ort::Exception; `guarded` catches.

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/value_types.h"
#include "tensor/structured_value.h"

namespace culprit::ort {

/// Inputs as the runtime takes them. Numeric elements are not copied where they lie on a 64-byte boundary; else they
/// are, because vectorized sums depend on the alignment of what they add, and bits must repeat.
class Feed {
 public:
  /// Puts the parts of values together as the session wants them (`forms`; a tensor where it says nothing).
  Result<void> add(const std::vector<NamedTensor>& inputs, const Forms& forms, const Ort::Env& env);
  [[nodiscard]] std::vector<const char*> names() const;
  [[nodiscard]] const std::vector<Ort::Value>& values() const { return values_; }

 private:
  Result<Ort::Value> value_of(const Value& value, const Form& form, const Ort::Env& env);
  Result<Ort::Value> sequence_of(const Value& value, const Form& form, const Ort::Env& env);
  Ort::Value tensor_of(const Tensor& tensor);
  void* aligned(std::span<const std::byte> bytes);
  std::vector<std::string> names_;
  std::vector<Ort::Value> values_;
  std::deque<Value> kept_;  // what the runtime's values view
  std::vector<std::unique_ptr<std::byte[]>> copies_;
};

/// A copy of an output, in parts. What it is, is asked of the value, and of the model's declarations only whether it
/// could be absent. A sparse tensor is ErrorKind::unsupported.
Result<std::vector<NamedTensor>> parts_from(Ort::Value& value, const std::string& output, const Form& form);

}  // namespace culprit::ort
