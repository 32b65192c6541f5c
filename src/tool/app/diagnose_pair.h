#pragma once
// `diagnose` as a library: what went wrong when the source was converted to the target.

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/diagnosis.h"

namespace culprit {

struct DiagnoseAnswer {
  Diagnosis diagnosis;
  RunFolder folder;  ///< whoever asked finishes it with the diagnosis
};

/// Errors: those of reading the models and the data; unsupported; usage; interrupted; io.
Result<DiagnoseAnswer> diagnose_pair(const DiagnoseRequest& request, const Caller& caller);

}  // namespace culprit
