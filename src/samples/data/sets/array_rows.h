#pragma once
// Samples that lie behind each other in arrays, as data sets are kept in .npy and .npz: x of shape [10000,28,28] holds
// 10,000 samples of [28,28].

#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

struct ArrayRowsOptions {
  std::filesystem::path work;           ///< for arrays that cannot stay where they are; must exist
  std::vector<NamedTensor> given = {};  ///< values of inputs, in the place of what the file has for them
  bool all_rows = true;                 ///< will be read, so checksums are worth comparing, which takes as long as that
};

/// A .npz has an array for each input, by name (or, where it has none of their names, in the order of the inputs, as
/// arr_0, arr_1, ...), all of the same length; a .npy the only input. A sample has the shape that the model declares:
/// where it declares [1,28,28] or [batch,28,28], sample n is [n,:,:] with a batch of 1. What is right
/// of a sample may be there as well (data/sets/array_truth.h). Elements stay
/// in the file until a sample is asked for (tensor/array_file.h); what does not fit is refused before they are read.
///
/// ErrorKind::unsupported: the arrays are no rows for this model, and may be one sample: which array does not fit which
/// input, with both shapes. ErrorKind::bad_input: they cannot be read, or they are rows, and something is wrong with
/// them: other numbers of rows in two arrays, labels that are none.
Result<std::unique_ptr<SampleSource>> open_array_rows(const std::filesystem::path& file, const Model& model,
                                                      const ArrayRowsOptions& options);

/// Could the arrays of this file, each as a whole, be the values of the inputs that they are named after? Only headers
/// are read.
bool may_be_one_sample(const std::filesystem::path& file, const Interface& interface);

}  // namespace culprit
