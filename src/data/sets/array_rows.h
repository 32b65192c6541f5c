#pragma once
// Samples that lie behind each other in arrays, as data sets are kept in .npy and .npz: x of shape [10000,28,28] holds
// 10,000 samples of [28,28].

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

/// A .npz has an array for each input, by name (or in the order of the inputs, as arr_0, arr_1, ...), all of the same
/// length; a .npy the only input. A sample has the shape that the model declares: where it declares [1,28,28] or
/// [batch,28,28], sample n is [n,:,:] with a batch of 1. An array named y, label, labels or target that is no input
/// holds a whole number for each sample: its class. The elements are kept in a file in `work`, mapped, not in memory.
/// Errors: which array does not fit which input, with both shapes.
Result<std::unique_ptr<SampleSource>> open_array_rows(const std::filesystem::path& file, const Interface& interface,
                                                      const std::filesystem::path& work);

}  // namespace culprit
