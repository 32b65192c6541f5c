#pragma once
// culprit data prepare TEXTS --tokenizer T -o FILE: texts become tokens, once, so that models can be fed with them.

#include <filesystem>

#include "cli/terminal.h"
#include "texts/prepare_texts.h"

namespace culprit {

struct PrepareArguments {
  std::filesystem::path texts, output;
  TextPreparation how;
};

/// Returns the exit code.
int run_prepare(const PrepareArguments& arguments, Terminal& terminal);

}  // namespace culprit
