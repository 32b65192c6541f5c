#pragma once
// Tensors as TensorFlow has them. Private to this room.

#include <string>
#include <utility>

#include "runtime/tensorflow/tensorflow_api.h"
#include "tensor/tensor.h"

namespace culprit::tf {

/// Something of the library's that is ours to destroy.
class Owned {
 public:
  Owned(Handle handle, void (*destroy)(Handle)) : handle_(handle), destroy_(destroy) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (handle_ != nullptr) destroy_(handle_);
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  Handle handle_;
  void (*destroy_)(Handle);
};

/// A tensor for TensorFlow, with a copy of the elements; it frees its strings.
class FedTensor {
 public:
  /// Errors: unsupported, TensorFlow has no such elements; io, no memory. `name` is for the message.
  static Result<FedTensor> make(const Api& api, const Tensor& tensor, const std::string& name);
  FedTensor(FedTensor&&) = default;
  FedTensor& operator=(FedTensor&&) = delete;
  ~FedTensor();
  [[nodiscard]] Handle get() const { return tensor_.get(); }

 private:
  FedTensor(const Api& api, Handle tensor) : api_(api), tensor_(tensor, api.DeleteTensor) {}
  const Api& api_;
  Owned tensor_;
  std::size_t strings_ = 0;
};

/// Errors: unsupported, elements that we do not know.
Result<Tensor> taken_out(const Api& api, Handle tensor, const std::string& name);

}  // namespace culprit::tf
