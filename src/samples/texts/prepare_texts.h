#pragma once
// Makes prepared texts: reads a data set of texts, has the Python package `tokenizers` turn them into tokens, and keeps
// what models are fed with and what decoding needs.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"
#include "base/stop.h"
#include "texts/prepared_texts.h"

namespace culprit {

struct TextPreparation {
  std::filesystem::path tokenizer;  ///< a tokenizer.json, or a folder with one
  std::int64_t max_length = 0;      ///< tokens of a row; 0: no limit
  std::int64_t stride = 0;          ///< tokens that two windows of a long context share
  std::string split = {};           ///< of a data set that has several; "": test, else validation, else the only one
  std::string config = {};          ///< of a data set on the hub; "": its only one, or its default
  std::string encoder = {};         ///< what tells the encoder apart that is to read the texts; "": none is
  bool operator==(const TextPreparation&) const = default;
};

struct PrepareTools {
  std::string python;             ///< the Python that has `tokenizers`, and for data sets `datasets`
  double cpu_seconds = 3600;      ///< that it may take
  std::filesystem::path scratch;  ///< an existing folder
  Stop stop = {};
  /// Has an encoder read the texts that `plain` holds, and writes `to`. None: what is prepared has no encoder.
  std::function<Result<PreparedFacts>(const std::filesystem::path& plain, const std::filesystem::path& to)> encode = {};
};

/// The Python that CULPRIT_TEXT_PYTHON names, the one that `scripts/setup text` made, or python3.
std::string python_with_tokenizers();

/// What tells two preparations apart: the content of the data and of the tokenizer, and the rest. Errors: no such file
/// or folder.
Result<std::string> key_of(const std::filesystem::path& texts, const TextPreparation& how);

struct PreparedOnce {
  PreparedFacts facts;
  bool is_new = true;  ///< else the file had been prepared of the same texts, in the same way
};

/// Reads the texts, prepares them, and writes `to`, or leaves it as it was. `texts` is a file, a folder, or hf:NAME, a
/// data set of the Hugging Face hub, which is loaded each time. If `to` has the same key, nothing is done. A text that
/// cannot be used is left out, counted and listed. Classes are numbered as the data say, or as numbers that they are,
/// or in the order of their names. Errors: those of read_texts; usage (no tokenizer there, a stride that leaves
/// nothing, no such data set, split or configuration), unsupported (no Python that has `tokenizers` or `datasets`, with
/// the command that brings it), bad_input (the tokenizer cannot be read, the data set cannot be loaded), io,
/// interrupted.
Result<PreparedOnce> prepare_texts(const std::filesystem::path& texts, const TextPreparation& how,
                                   const std::filesystem::path& to, const PrepareTools& tools);

}  // namespace culprit
