#pragma once
// What --data names, told apart by looking: a folder of pictures, arrays with a row for each sample, folders of
// test_data_set_N, or nothing, and then samples are made up.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "task/task.h"

namespace culprit {

struct DataSetOptions {
  DataOptions data;                       ///< --data, --input, --dim, --preprocess, --samples of made-up ones, --seed
  std::filesystem::path labels;           ///< --labels
  std::filesystem::path work;             ///< for files that are needed as long as the source is; must exist
  std::vector<std::string> classes = {};  ///< names that culprit.yaml lists: labels are among them
  bool expected_outputs = false;          ///< output_N.pb of test_data_set_N are what is right; else nobody reads them
  /// What picture files in a folder that `labels` names are of theirs (data/sets/truth_pictures.h); none: nobody reads
  /// them yet; absent: such a folder is an error.
  std::optional<TruthPictures> label_folder = {};
};

using SourcePtr = std::unique_ptr<SampleSource>;

/// Ways of feeding the model, the likeliest first; there are several only where samples are made up. Never empty.
/// Errors: no such file or folder (usage); nothing in it that can be fed, and what was looked for.
Result<std::vector<SourcePtr>> open_data_set(const Model& model, const DataSetOptions& options);

/// Does a file beside the model say how such pictures, sounds or texts are prepared for it? True where it cannot be
/// read, so that somebody looks at it.
bool says_preparation(const Model& model, const std::filesystem::path& data);

/// The numbers of all samples, or of so many (0: all), spread over them.
std::vector<std::int64_t> spread_numbers(std::int64_t size, std::int64_t samples);

/// What a check is given.
struct CheckData {
  std::vector<Proposal> proposals;    ///< as of `propose`; of pictures and of rows in arrays a few, spread over all
  SourcePtr whole;                    ///< the whole data set; null where --data names none
  std::vector<std::int64_t> numbers;  ///< of its samples: all, or as many as --samples says, spread
};

/// Errors: those of `propose` and of `open_data_set`.
Result<CheckData> open_check_data(const Model& model, const DataSetOptions& options);

}  // namespace culprit
