#pragma once
// What a model computes, asked of the runtime without the judge.

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tensor/tensor.h"

namespace culprit::testing {

/// The outputs of `model` on each of `samples` synthesized samples, at level off, in a worker of the built tool. Throws
/// where it does not run.
std::vector<std::vector<NamedTensor>> outputs_of(const std::filesystem::path& model, std::int64_t samples);

/// How far two tensors of one shape are apart: the root of the mean squared difference, in standard deviations of the
/// first.
double distance(const Tensor& one, const Tensor& other);

/// How many different numbers are in it.
std::size_t distinct_values(const Tensor& tensor);

}  // namespace culprit::testing
