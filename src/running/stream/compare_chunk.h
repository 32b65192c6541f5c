#pragma once
// Compares what two models made of a chunk of samples, in a fork of this process: outputs are decoded beside the runs
// of the next chunk, and one that crashes a decoder ends no more than that.

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/sample_source.h"
#include "process/child.h"
#include "task/task.h"
#include "tensor/pack_bundle.h"

namespace culprit {

/// Outputs of one sample, as packs.
struct OutputPair {
  std::int64_t number = 0;
  PackPlace reference, variant;
};

struct ChunkToCompare {
  std::vector<OutputPair> pairs;     ///< in the order of the samples
  std::vector<std::size_t> outputs;  ///< for each output of the reference its place in the variant; empty: the same
  bool is_told = false;              ///< say of each sample what the variant decided
};

/// A sample whose outputs cannot be held against each other: the variant gives another number of rows, say.
struct ApartSample {
  std::int64_t number = 0;
  std::string reason;
  bool is_of_reference = false;  ///< already the reference's outputs are none that the task can read
};

struct ComparedChunk {
  std::string state;  ///< of the comparator that has seen all the others, to be merged
  std::vector<ApartSample> apart;
  /// By the number of the sample, in the order of the samples; of those that could be compared, where that was asked.
  std::vector<std::pair<std::int64_t, ToldModel>> told;
};

class ChunkComparison {
 public:
  /// Starts at once. Task and source must stay until `state` was called. `each_sample`: the CPU time that a task may
  /// take for one.
  static Result<ChunkComparison> start(const DecisionTask& task, const SampleSource& source, ChunkToCompare chunk,
                                       const ComparatorOptions& options, const std::filesystem::path& scratch,
                                       double each_sample);
  /// Waits for it. Errors: what the comparator says of a sample and is no fault of the sample alone, with its name;
  /// internal where the process ended without a word; interrupted.
  Result<ComparedChunk> result(const Stop& stop);

 private:
  explicit ChunkComparison(Child child) : child_(std::move(child)) {}
  Child child_;
};

}  // namespace culprit
