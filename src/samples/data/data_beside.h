#pragma once
// The data that culprit.yaml beside a model names (docs/evaluating.md): then a folder with a model, this file and data
// is a benchmark that one can share. Such a folder may come from anywhere, so what it names lies in it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "data/data_set.h"

namespace culprit {

/// What culprit.yaml beside a model says, unread.
struct DescriptionBeside {
  std::string text;
  std::string where;             ///< its path, for messages
  std::filesystem::path folder;  ///< the model's
};

/// A culprit.yaml, or a file that says how pictures are prepared, has at most so many bytes.
constexpr std::uint64_t largest_description = std::uint64_t{1} << 20;

/// nullopt where there is none. Errors: those of read_file; it may be 1 MiB large.
Result<std::optional<DescriptionBeside>> description_beside(const Model& model);

/// These options; where `data.data` is empty, with `data` and `labels` of culprit.yaml beside the model, if it names
/// any. Both are paths from the model's folder on and lie in it, and no link in the data leads out of it. Labels that
/// the options name stay. Errors (usage, with the line): what is wrong with the file, or leads out.
Result<DataSetOptions> with_data_beside(const Model& model, DataSetOptions options);

}  // namespace culprit
