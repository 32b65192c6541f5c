#pragma once
// Samples that lie in files: test_data_set_N folders and .npz archives.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample.h"

namespace culprit {

/// Files `<prefix><number><suffix>` and folders `<prefix><number>` of a folder, by number.
std::vector<std::filesystem::path> numbered(const std::filesystem::path& folder, const std::string& prefix,
                                            const std::string& suffix);

/// The folder in which the data of a model may lie whose folder holds other models too: "small.onnx.data_sets" for
/// "small.onnx".
std::filesystem::path test_data_of(const std::filesystem::path& model);

/// Folders test_data_set_N of a model that nobody named: those in test_data_of(model), else those beside the model.
std::vector<std::filesystem::path> test_data_beside(const std::filesystem::path& model);

/// One sample: members bear the names of inputs (or are arr_0, arr_1, ... as numpy.savez names what has no name).
Result<Sample> read_npz_sample(const std::filesystem::path& path, const Interface& interface);

/// Does the folder hold test_data_set_N, or files of one?
bool holds_test_data(const std::filesystem::path& folder);

/// Tells where samples lie, in their order.
struct SamplePaths {
  std::vector<std::filesystem::path> paths;  ///< folders test_data_set_N, or .npz archives
  bool are_archives = false;
};
/// What --data names; never empty. Errors: usage.
Result<SamplePaths> find_samples(const std::filesystem::path& data);
/// output_0.pb, output_1.pb, ... of one sample, which stand for the first outputs of the model; without a name in the
/// file they have those of the outputs. Empty where there are none. Errors: bad_input, those of the files.
Result<std::vector<NamedTensor>> read_expected_outputs(const std::filesystem::path& folder, const Interface& interface);
Result<Sample> read_sample(const SamplePaths& paths, std::size_t number, const Interface& interface);

}  // namespace culprit
