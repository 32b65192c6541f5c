#pragma once
// Executor by processes (docs/architecture.md). One binary, started again as `<program> worker`, does what may crash;
// this side starts workers, feeds them, watches their time, reads their outcomes and buries them.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/executor.h"
#include "runtime/find_library.h"
#include "runtime/runner_kind.h"

namespace culprit {

struct PoolOptions {
  std::filesystem::path program;   ///< the binary to start; usually /proc/self/exe
  RunnerSpec runner;               ///< of ONNX models; its library is loaded by workers, never here
  int jobs = 0;                    ///< workers at once; 0: as many as cores
  std::filesystem::path scratch;   ///< for logs of workers; must exist
  std::uint64_t memory_bytes = 0;  ///< divided among the workers; 0: what there is (base/memory.h)
  /// Who runs models of other formats: the format of a job's file decides. A job that nobody runs fails at the start,
  /// with the Error that stands here.
  RunnersByFormat others = {};
};

/// Each worker gets its part of the memory, and fewer than `jobs` are started at once where a part would be smaller
/// than 1 GiB; or where something needed more than its part, and did well alone. Starts nothing yet. SIGINT and SIGTERM
/// are watched through `interrupt_requested` (process/interrupt.h, set by cli): then no new job is started, all
/// children are killed and waited for, and `next` gives InterruptedOutcome once, then nullopt. The destructor kills and
/// waits for every child.
Result<std::unique_ptr<Executor>> make_pool(PoolOptions options);

}  // namespace culprit
