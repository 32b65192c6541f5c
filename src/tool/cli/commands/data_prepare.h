#pragma once
// culprit data prepare TEXTS --tokenizer T -o FILE: texts become tokens, once, so that models can be fed with them.

#include "app/prepare_encoded.h"
#include "cli/terminal.h"

namespace culprit {

/// Returns the exit code.
int run_prepare(const PrepareRequest& request, Terminal& terminal);

}  // namespace culprit
