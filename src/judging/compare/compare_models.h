#pragma once
// Do two models mean the same, and where do they part first? A is what B is held against. Pure but for the files that
// it writes into its folder: all runs are asked of an Executor. The method is in docs/comparing.md.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "model/model.h"
#include "record/comparison.h"
#include "trial/options.h"

namespace culprit {

struct CompareOptions {
  std::vector<std::string> map;  ///< --map: "a=b"
  Tolerance tolerance;
  bool strict = false;     ///< beyond the noise floor is a difference, also within the tolerance
  SessionOptions session;  ///< of every run; the level at which A loads
  Limits limits;
  int draws = 3;                  ///< that measure noise floors
  std::size_t inner_samples = 2;  ///< on which inner values are compared, those with the largest differences first
  std::uint64_t bytes_per_run = std::uint64_t{256}
                                << 20;  ///< of inner values that one run brings out, over its samples
};

/// What is going on; may be empty.
using CompareProgress = std::function<void(std::size_t done, std::size_t total, const std::string& what)>;

/// These where a check runs at `session`: its tolerance and limits, and no more draws than it may make.
CompareOptions compare_options(const TrialOptions& check, const SessionOptions& session);

struct CompareTools {
  Executor& executor;
  std::filesystem::path folder;  ///< exists; all in it may go afterwards
  CompareProgress progress = {};
  Stop is_time_up = {};  ///< then no more inner values are read; what is known by then is told. Empty: never
};

/// Inputs by A's names, in packs, and what A made of them where that is known already (else it is run).
struct CompareSamples {
  std::vector<std::filesystem::path> samples;
  std::vector<std::filesystem::path> reference = {};
  std::string weak =
      {};  ///< why A's outputs say nothing on them, where that is so: inner values can only add faults then
};

/// Outputs are compared on all samples, inner values on a few. An Error only where nothing can be said at all:
/// ErrorKind::usage (--map), interrupted, io. That the two have nothing in common, or that one does not run, is a
/// status.
Result<CompareReport> compare_models(const Model& a, const Model& b, const CompareSamples& samples,
                                     const CompareOptions& options, const CompareTools& tools);

/// 0 same, 1 part, 3 cannot be told.
int exit_code_of(const CompareReport& report);

}  // namespace culprit
