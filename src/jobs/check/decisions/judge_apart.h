#pragma once
// The samples of a data set that speak against a variant, and what they say when it is judged on them alone.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "check/decisions/added_samples.h"
#include "check/decisions/decision_scan.h"
#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "trial/reference.h"
#include "trial/variant_run.h"

namespace culprit {

/// At most 4 on which it decides otherwise and rounding does not, and 2 on which it fails and the original does not.
std::vector<std::int64_t> telling_samples(const ScannedVariant& scanned);

/// Of a reference that has samples of the source at these places: on those on which the variant decided otherwise, and
/// on those of `telling`, the decision must stay.
void mark_decisive(PlacedSamples& placed, const ScannedVariant& scanned, const SampleSource& source,
                   std::shared_ptr<const DecisionTask> task, const std::vector<std::int64_t>& telling = {});

struct ApartQuestion {
  const Reference& like;  ///< the original, and how it runs
  const SampleSource& source;
  const ScannedVariant& scanned;
  std::shared_ptr<const DecisionTask> task;
  RunnablePtr variant;
  std::string name;              ///< of the files
  std::filesystem::path folder;  ///< for outputs of the variant
};

/// What is wrong on the telling samples, by the rules for all variants; "" where nothing is. Errors: interrupted, io.
Result<std::string> judge_apart(Dispatcher& dispatcher, const ApartQuestion& question);

}  // namespace culprit
