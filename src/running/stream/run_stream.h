#pragma once
// Runs models on the samples of a source, chunk by chunk, and compares what they decide. A chunk's samples and outputs
// lie on the disk until it is compared; of a sample stay at most the bytes that a comparator keeps (task/task.h).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "record/decisions.h"
#include "stream/chunk_reader.h"
#include "task/task.h"

namespace culprit {

/// What runs: a model with its session, limits, and the inputs as they are bound. Samples, folder and keeps_session are
/// filled in.
struct StreamedModel {
  RunJob job;
  std::vector<std::size_t> outputs = {};  ///< for each output of the first model its place in this one; empty: the same
  std::string unfit = {};            ///< why it cannot be held against the first one, and so does not run; "": it does
  Dispatcher* dispatcher = nullptr;  ///< of an executor with another library of the runtime; null: the stream's own
};

struct StreamOptions {
  std::filesystem::path folder;  ///< for chunks, outputs and what is spilled; must exist
  std::size_t samples_per_chunk = 64;
  std::size_t places = 2;         ///< runs at once
  Limits each_sample;             ///< of reading one, and of comparing it
  std::uint64_t seed = 1;         ///< of intervals
  bool with_scores = false;       ///< curves of scores and calibration, too (task/task.h)
  bool has_pairs = false;         ///< the task knows what is right of samples, whatever the source knows
  std::size_t most_listed = 100;  ///< of what was skipped or failed; the rest is counted
  std::function<void(std::int64_t done)> progress = {};
  /// Told of each sample that the first model decides, in the order of the numbers, model by model: does that model not
  /// agree? Once it returns true, no further chunk is begun; what is under way is finished and counts.
  std::function<bool(std::size_t model, bool changed)> is_enough = {};
  /// Told of each sample that ran, in the order of the numbers: what every model decided on it. An error ends the run.
  std::function<Result<void>(const ToldSample& sample)> told = {};
  /// Once it says so, no further chunk is begun either, and what was read ahead is left. One chunk is run in any case.
  Stop is_time_up = {};
};

/// What one model did.
struct StreamedResult {
  DecisionRecord decisions;           ///< against the first model; of the first itself, against its own outputs
  std::vector<std::int64_t> changed;  ///< numbers of the samples on which it decides otherwise
  std::int64_t ran = 0;               ///< samples
  /// Samples on which it failed, or gave outputs that cannot be held against the first model's: another number of rows.
  std::int64_t failures = 0;
  std::vector<SkippedSample> failed;  ///< the first of them
  double seconds = 0;                 ///< of its runs
  /// Why nothing can be said of it: as StreamedModel::unfit says, or it could not be loaded for a single sample of the
  /// first chunk. From there on it does not run, and it has failed on all samples.
  std::string unfit = {};
};

struct StreamReport {
  std::vector<StreamedResult> models;
  std::int64_t read = 0;  ///< samples
  std::int64_t unreadable = 0;
  std::vector<SkippedSample> skipped;  ///< the first of the unreadable ones
  std::int64_t not_reached = 0;        ///< samples that nobody looked at: it was enough, or the time was up
  bool is_interrupted =
      false;  ///< the user asked to stop: chunks that were finished count, what was under way does not
};

/// The samples with these numbers, in this order. The first model is what the others are held against: a sample on
/// which it fails tells nothing of them. Where none of the others is left, and no truth either, it ends early. A sample
/// of which the task cannot read the outputs counts as one on which that model fails. Errors: interrupted, where no
/// chunk was finished before; the machine's; what a comparator says of more than one sample.
Result<StreamReport> run_stream(Dispatcher& dispatcher, const SampleSource& source, std::vector<std::int64_t> numbers,
                                const std::vector<StreamedModel>& models, const DecisionTask& task,
                                const StreamOptions& options);

/// Samples of a chunk, where a sample with all its outputs takes so many bytes: 64 MiB, and at most 2,048, or 512 where
/// it may be enough long before the end.
std::size_t samples_for_a_chunk(std::uint64_t bytes_of_one, bool may_end_early);

/// Samples that run in so many seconds, where one takes so many on all models: at least 1.
std::size_t samples_for_seconds(double seconds, double seconds_of_one);

}  // namespace culprit
