#pragma once
// Texts of data sets that the Python package `datasets` reads: those of the Hugging Face hub, folders that it saved,
// and files of Parquet or Arrow. Private to this room. Docs: docs/texts.md.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "texts/prepare_texts.h"
#include "texts/text_files.h"

namespace culprit {

/// Is it such a word as hf:NAME, and no path?
bool is_hub_dataset(const std::filesystem::path& texts);

/// Does the path look like a data set: .parquet, .arrow, a folder with .parquet in it, or one that the package saved?
/// No file is read for it.
bool is_saved_dataset(const std::filesystem::path& path);

/// Rows of a data set, and what is known of them.
struct LoadedRows {
  std::string name;                           ///< for people: "stanfordnlp/imdb", "reviews.parquet"
  std::string split;                          ///< the one that was taken; "" where there are none
  std::string lines;                          ///< an object of JSON for each row, as read_json_lines takes them
  std::vector<std::string> columns, classes;  ///< all columns; the names of the classes, by their numbers
};

/// Has Python load it. Only hf:NAME may use the network. Errors: usage (no such name, split or configuration),
/// unsupported (no Python that has `datasets`, with the command that brings it), bad_input (it cannot be loaded, with
/// the package's reason), io, interrupted.
Result<LoadedRows> load_dataset(const std::filesystem::path& texts, const TextPreparation& how,
                                const PrepareTools& tools);

/// Its texts. Errors: bad_input (none of them is of use).
Result<TextSet> texts_of_rows(const LoadedRows& rows);

}  // namespace culprit
