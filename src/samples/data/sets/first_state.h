#pragma once
// What a state of a model begins with.

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

/// A state begins with zeros. An open size is 1, but one that counts what is past is 0. ErrorKind::bad_input for a size
/// that no state has.
Result<Tensor> first_state(const ValueInfo& input);

}  // namespace culprit
