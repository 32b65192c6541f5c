#pragma once
// Batches made of samples: of an input whose open dimension counts samples, the rows of several are stacked along it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

using Pack = std::vector<NamedTensor>;

/// ErrorKind::usage where no input has an open dimension that counts a batch (data/size_guesses.h): then no other size
/// may be fed. `model` is what the message calls it.
Result<void> can_be_stacked(const std::vector<ValueInfo>& inputs, const std::string& model);

/// Packs of `batch` samples each. Rows come from those samples that are alike the first one but in the size of their
/// batch, and begin again where there are too few; each row is in one of the packs at least once. Inputs without such a
/// dimension are those of the first sample. Errors: as of can_be_stacked; samples whose inputs do not agree on their
/// batch, or that hold none; what is no tensor, or of elements smaller than a byte (unsupported).
Result<std::vector<Pack>> stacked_samples(const std::vector<ValueInfo>& inputs, std::span<const Pack> samples,
                                          std::int64_t batch, const std::string& model);

/// Bytes that one such pack would take, about: `batch` times as much as a row takes.
std::uint64_t bytes_of_stack(const std::vector<ValueInfo>& inputs, const Pack& sample, std::int64_t batch);

}  // namespace culprit
