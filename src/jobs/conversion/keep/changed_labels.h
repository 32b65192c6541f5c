#pragma once
// What a sample decides, from the outputs of two runs on it.

#include <functional>
#include <optional>
#include <span>

#include "tensor/tensor.h"

namespace culprit {

/// Outputs of the source on one sample, and the same outputs of another run on it, one for one, in the same shapes. Is
/// something else decided? nullopt: these outputs decide nothing.
using ChangesDecision =
    std::function<std::optional<bool>(std::span<const Tensor> source, std::span<const Tensor> other)>;

/// Each row of the last axis of a float output is a label, the place of its largest number, where it has two numbers
/// and more and the output has two axes and more.
std::optional<bool> changes_labels(std::span<const Tensor> source, std::span<const Tensor> other);

}  // namespace culprit
