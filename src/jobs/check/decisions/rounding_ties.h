#pragma once
// Is another decision a tie? On a sample whose two best labels are as good as equal, rounding alone turns the label
// over. So the original is drawn on that very sample (trial/draw_runs.h), and if a draw changes the decision as the
// variant does, the variant is not to blame.

#include <cstdint>
#include <filesystem>
#include <set>
#include <vector>

#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "stream/run_stream.h"
#include "task/task.h"
#include "trial/reference.h"

namespace culprit {

struct TieQuestion {
  const Reference& reference;  ///< whose original is drawn, at its level
  const SampleSource& source;
  const DecisionTask& task;
  const StreamedModel &original, &variant;  ///< as they ran on the stream
  std::vector<std::int64_t> numbers;        ///< samples on which they decide otherwise
  std::filesystem::path folder;             ///< for samples and outputs; is made, and removed
};

/// Those of the samples on which a draw changes the decision as the variant does, or on which the variant decides as
/// the original does without the runtime's optimizations. At most as many draws as the options say; a sample is not
/// drawn again once it is a tie. What cannot be read or run is no tie. Errors: interrupted, io.
Result<std::set<std::int64_t>> find_ties(Dispatcher& dispatcher, const TieQuestion& question);

}  // namespace culprit
