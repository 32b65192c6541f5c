#pragma once
// `compare` as a library: two models side by side on samples of the first.

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/comparison.h"

namespace culprit {

struct CompareAnswer {
  CompareReport report;
  RunFolder folder;  ///< whoever asked finishes it with the report
};

/// Errors: those of reading the models and the data; usage; interrupted; io.
Result<CompareAnswer> compare_pair(const CompareRequest& request, const Caller& caller);

}  // namespace culprit
