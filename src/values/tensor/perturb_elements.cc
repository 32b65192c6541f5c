#include "tensor/perturb_elements.h"

#include <vector>

namespace culprit {
bool is_nudgeable(DType type) {
  return type == DType::f64 || type == DType::f32 || type == DType::f16 || type == DType::bf16;
}

Tensor perturbed(const Tensor& tensor, Random& random, const RoundingMoves& rounding) {
  if (!is_nudgeable(tensor.dtype())) return tensor;
  std::vector<std::byte> bytes(tensor.bytes().begin(), tensor.bytes().end());
  imitate_rounding(tensor.dtype(), tensor.shape(), bytes, random, rounding);
  return Tensor::from_bytes(tensor.dtype(), tensor.shape(), std::move(bytes)).value();  // as many bytes as before
}

Tensor perturbed(const Tensor& tensor, Random& random, unsigned ulps) {
  return perturbed(tensor, random, RoundingMoves{.ulps = ulps});
}

}  // namespace culprit
