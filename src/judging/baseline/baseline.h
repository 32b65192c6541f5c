#pragma once
// Does the model run at all, and on which samples? Without that nothing can be judged.

#include <filesystem>
#include <vector>

#include "base/progress.h"
#include "data/sample.h"
#include "executor/dispatcher.h"
#include "model/model.h"
#include "record/report.h"
#include "trial/options.h"
#include "trial/reference.h"

namespace culprit {

/// Tries the proposals one after the other with optimizations off (at level basic where the model does not load
/// otherwise) until one runs, and returns the model with these samples and what it made of them. What came of it stands
/// in `report`: data, warnings, baseline. Samples that were made up and on which no output says anything are made up
/// again, at most 4 times; the status is `weak_data` if none does, and the first stay. Of proposals that begin alike
/// only the first is tried if its first sample does not run. Where zeros, tiny and large numbers are the reason for NaN
/// or infinities, plain ones are taken. Where nothing runs the status says so, and there are no samples. An Error only
/// if interrupted, or if the machine failed. `folder`: for samples and outputs.
Result<Reference> establish_baseline(const std::vector<Proposal>& proposals, Dispatcher& dispatcher, const Model& model,
                                     const TrialOptions& options, const std::filesystem::path& folder,
                                     ModelReport& report, const Progress& progress = {});

}  // namespace culprit
