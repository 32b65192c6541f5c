#pragma once
// Compares what two models made of a chunk of samples, in a fork of this process: outputs are decoded beside the runs
// of the next chunk, and one that crashes a decoder ends no more than that.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/sample_source.h"
#include "process/child.h"
#include "task/task.h"

namespace culprit {

/// Outputs of one sample, as packs.
struct OutputPair {
  std::int64_t number = 0;
  std::filesystem::path reference, variant;
};

struct ChunkToCompare {
  std::vector<OutputPair> pairs;     ///< in the order of the samples
  std::vector<std::size_t> outputs;  ///< for each output of the reference its place in the variant; empty: the same
};

class ChunkComparison {
 public:
  /// Starts at once. Task and source must stay until `state` was called. `each_sample`: the CPU time that a task may
  /// take for one.
  static Result<ChunkComparison> start(const DecisionTask& task, const SampleSource& source, ChunkToCompare chunk,
                                       std::uint64_t seed, const std::filesystem::path& scratch, double each_sample);
  /// Waits for the state of the comparator that has seen these samples, to be merged. Errors: what the comparator says
  /// of a sample that it cannot take, with the sample's name; internal where the process ended without a word;
  /// interrupted.
  Result<std::string> state(const Stop& stop);

 private:
  explicit ChunkComparison(Child child) : child_(std::move(child)) {}
  Child child_;
};

}  // namespace culprit
