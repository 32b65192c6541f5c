#pragma once
// Repros for a variant that no pass makes: the pair of model and variant is diagnosed as `diagnose` does it, and each
// confirmed fault is kept in a folder (repro/pair/pair_repro.h).

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "app/requests.h"
#include "app/workshop.h"

namespace culprit {

/// A diagnosis of more takes minutes, which nobody asked for; `culprit diagnose` makes it.
constexpr std::ptrdiff_t most_layers_with_repros = 500;

/// Writes a repro for each confirmed fault of the pair that can be shown alone. Returns their names, relative to the
/// run's folder, in the order of the faults: "repro/F1". None where the two cannot be diagnosed, where one has
/// more than most_layers_with_repros layers, or no fault is confirmed. `work`: a folder of the run; the call makes a
/// folder in it and removes that at the end. Errors: interrupted, io, internal.
Result<std::vector<std::string>> keep_variant_repros(Workshop& workshop, const DiagnoseRequest& request,
                                                     const std::filesystem::path& work);

/// The same data, limits and names for `diagnose`, with these options for samples.
DiagnoseRequest as_diagnose_request(const TwoModelsRequest& request, const DataOptions& samples);

/// The model of `localize --variant` as the source, the variant as the target.
DiagnoseRequest as_diagnose_request(const CheckRequest& request, const DataOptions& samples);

}  // namespace culprit
