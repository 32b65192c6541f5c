#pragma once
// Where work is done: processes of the tool's own program, or fakes in tests.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/runtime_probe.h"
#include "base/error.h"
#include "executor/executor.h"
#include "executor/measuring.h"
#include "optimizer/onnxruntime/harvest_steps.h"
#include "record/profile.h"

namespace culprit {

class Workers {
 public:
  virtual ~Workers() = default;

  /// The runtime's library that is named by a path or a version; "": the default one.
  virtual Result<std::filesystem::path> find_runtime(const std::string& named) = 0;
  /// Its version, and what it was built with. It may use `seconds`.
  virtual Result<ProbedRuntime> probe(const std::filesystem::path& library, double seconds) = 0;
  /// The optimizations that it has.
  virtual Result<Harvest> steps_of(const std::filesystem::path& library) = 0;

  /// An executor with this library; `jobs` at once, 0: as many as cores. Logs go to `scratch`, which exists. `others`:
  /// models of other formats run as well.
  virtual Result<std::unique_ptr<Executor>> make_executor(const std::filesystem::path& library, int jobs,
                                                          const std::filesystem::path& scratch, bool others) = 0;
  /// For timing, in processes that take turns.
  virtual std::unique_ptr<MeasuringBlocks> make_blocks(const std::filesystem::path& library,
                                                       const std::filesystem::path& scratch) = 0;
  /// The words of a program that does one run, described in `file`, by itself.
  virtual Result<std::vector<std::string>> command_of_run(const MeasuredModel& model,
                                                          const std::filesystem::path& file) = 0;
  /// What the CPUs can do at most with so many threads.
  virtual Result<MachineLimits> limits(std::int64_t threads) = 0;
};

/// Processes of this program, which is started again as `<program> worker`.
std::unique_ptr<Workers> make_process_workers(std::filesystem::path program);

}  // namespace culprit
