#pragma once
// The folders that show the faults of a conversion by themselves (repro/pair/pair_repro.h), kept in the run's folder.

#include <filesystem>

#include "app/opened_conversion.h"
#include "app/requests.h"
#include "app/workshop.h"
#include "conversion/diagnose.h"

namespace culprit {

/// Writes one for each fault that can be shown alone, and names it in the fault. `pair`: of the source and the target
/// of the conversion; the folder of its samples must be there. Errors: interrupted, io.
Result<void> keep_pair_repros(Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                              const std::filesystem::path& work, DiagnosedPair& pair);

}  // namespace culprit
