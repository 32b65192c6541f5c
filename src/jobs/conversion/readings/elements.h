#pragma once
// The elements of values of one side, under whatever it is fed. Who needs them asks for one value after the other;
// tests give them from memory.

#include <vector>

#include "tensor/tensor.h"

namespace culprit {

class Elements {
 public:
  virtual ~Elements() = default;
  /// One tensor for each sample, in this side's own layout; empty where no run brings the value out. Values that are
  /// asked for in the order of the network cost the fewest runs. The tensors may be kept: they hold what they need.
  /// Errors: interrupted, io.
  virtual Result<std::vector<Tensor>> of(int value) = 0;
};

}  // namespace culprit
