#pragma once
// culprit data show MODEL --data D: what is in a data set, and how a model is fed with it. culprit data prepare TEXTS:
// commands/data_prepare.h.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/data_prepare.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "data/sample.h"

namespace culprit {

struct DataArguments {
  std::filesystem::path model;
  DataOptions data;
  std::filesystem::path labels;
  std::size_t samples = 12;                    ///< of which is told
  std::filesystem::path picture;               ///< where the sheet is written; "": nowhere
  std::optional<PrepareRequest> prepare = {};  ///< of `data prepare`, for which nothing else counts
};

/// As typed; "" where not given.
struct DataFlags {
  std::string action, model, data, labels, preprocess, generate, samples, output, tokenizer, max_length, stride, split,
      config, encoder;
  std::vector<std::string> inputs;
};

void add_data(CommandParser& parser, DataFlags& flags);

/// ErrorKind::usage where a value makes no sense.
Result<DataArguments> resolve(const DataFlags& flags);

/// Returns the exit code.
int run_data(const DataArguments& arguments, Terminal& terminal);

}  // namespace culprit
