#pragma once
// Blocks of measuring by processes: the same binary started again as a worker, one for each library of the runtime that
// a block needs. The parent says what runs next, so that all processes of a block stand still but one.

#include <filesystem>
#include <memory>

#include "executor/measuring.h"
#include "runtime/find_library.h"

namespace culprit {

struct MeasuringOptions {
  std::filesystem::path program;          ///< the binary to start; usually /proc/self/exe
  std::filesystem::path runtime_library;  ///< where a model names none
  std::filesystem::path scratch;          ///< for logs of workers; must exist
  RunnersByFormat others = {};            ///< as PoolOptions has it
};

/// Limits are those of a model's job: of loading it, and of each run. Ctrl-C ends a block: its failure is `skipped`.
std::unique_ptr<MeasuringBlocks> make_measuring_blocks(MeasuringOptions options);

}  // namespace culprit
