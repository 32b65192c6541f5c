#pragma once
// How speed is asked for: a block is one process (or one for each library of the runtime) that holds several sessions
// and runs one of them at a time, when it is told to. So all sessions of a block see the same moment of the machine.
// Implemented by `worker` with processes, and by tests with fakes whose times are made up.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/executor.h"
#include "process/failure.h"

namespace culprit {

/// What is measured: a model in a session of one library, on samples that lie in packs.
struct MeasuredModel {
  RunJob job;  ///< `folder` and what is about chunks and draws is not used; limits are of a step
  std::filesystem::path library = {};  ///< of the runtime; "": the one that the maker of blocks has
};

/// What loading cost.
struct Loaded {
  Failure failure;
  double seconds = 0;
  std::string runtime_version;
};

/// Some runs of one session, one after the other, on the samples in turn.
struct Turn {
  Failure failure;
  /// The seconds of each run: the runtime's own call, without the reading of samples and outputs, and in a session with
  /// one thread without the time for which it waited for a CPU that other programs held.
  std::vector<double> seconds;
  std::vector<double> waited = {};  ///< of each run, that time; empty: nobody can tell, as with several threads
};

/// The memory of the process that holds a session, in bytes.
struct Resident {
  std::uint64_t now = 0;
  std::uint64_t largest = 0;  ///< since it was asked before, or since its start; 0: the system does not tell
  std::uint64_t arena = 0;    ///< most that the runtime's own allocator held; 0: it cannot tell
};

class MeasuringBlock {
 public:
  virtual ~MeasuringBlock() = default;
  /// `model` is an index into the models that the block was made for. Load each once, before it runs.
  virtual Loaded load(std::size_t model) = 0;
  virtual Turn run(std::size_t model, std::int64_t runs) = 0;
  /// Runs one sample alone; of more than the model has they are counted round. So sessions can be timed on the same
  /// work, however often each of them runs.
  virtual Turn run_sample(std::size_t model, std::int64_t runs, std::size_t sample) = 0;
  /// Ends the profile of all runs so far of a session with `profile_to`, and gives its file. Once. ErrorKind::
  /// interrupted, io; bad_input where the process of the block does not give one.
  virtual Result<std::filesystem::path> end_profile(std::size_t /*model*/) {
    return fail(ErrorKind::bad_input, "this block makes no profile");
  }
  /// 0 in all where the block has failed.
  virtual Resident resident(std::size_t model) = 0;
};

class MeasuringBlocks {
 public:
  virtual ~MeasuringBlocks() = default;
  /// After a failure a block answers everything with that failure: it is to be opened anew, without the model that
  /// was asked for.
  virtual std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) = 0;
};

}  // namespace culprit
