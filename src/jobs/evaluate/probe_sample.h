#pragma once
// One sample, run before all others: it tells what the outputs look like, and how many samples make a chunk.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "executor/dispatcher.h"

namespace culprit {

/// The first sample that could be read and that the first model takes, and what it made of it.
struct ProbedSample {
  std::int64_t number = 0;
  std::vector<NamedTensor> inputs, outputs;
  std::uint64_t bytes = 0;  ///< of the sample and of these outputs
  double seconds = 0;       ///< of its run
  std::string onnxruntime;  ///< its version
};

struct ProbeTools {
  Dispatcher& dispatcher;        ///< of the model
  std::filesystem::path folder;  ///< is made
  Limits limits;                 ///< of reading a sample
  std::filesystem::path model;   ///< its name in messages
  /// How the model is run on such a sample: all but its samples and its folder.
  std::function<RunJob(const std::vector<NamedTensor>& sample)> job;
};

/// A model that refuses so many samples, one after the other, takes none.
inline constexpr std::size_t most_probed = 8;

/// Runs the first sample that can be read. A sample that the model refuses is followed by the next one. Made-up samples
/// are run in twos, and the model must take both, for every second one has other sizes: a refusal says that they were
/// made in a wrong way. `why` is what was wrong with the first that could not be read, and is kept over several calls.
/// Errors: bad_input (none can be read; the model takes none, with its message for the first), interrupted, io.
Result<ProbedSample> probe_sample(const SampleSource& source, const ProbeTools& tools, std::string& why);

}  // namespace culprit
