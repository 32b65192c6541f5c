#pragma once
// How many samples one run of a model works on.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

/// The size that the open dimensions which count a batch (data/size_guesses.h) have in `pack`. Nothing where no input
/// has such a dimension, or two have different sizes: of a fixed one nobody can tell what it counts.
std::optional<std::int64_t> batch_size(const std::vector<ValueInfo>& inputs, const std::vector<NamedTensor>& pack);

/// Tells the size of the batch in a pack in a file (tensor/pack_file.h); nothing, too, where that cannot be read.
std::optional<std::int64_t> batch_size_in(const std::vector<ValueInfo>& inputs, const std::filesystem::path& pack);

}  // namespace culprit
