#pragma once
// Figures beside a report, in a folder of their own.

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "report/figure.h"

namespace culprit {

/// Each is written beside and renamed; what an earlier run left in the folder goes, and without figures the folder.
Result<void> write_figures(const std::vector<Figure>& figures, const std::filesystem::path& folder);

/// write_figures into the folder of a run whose report is written. An error says that the report holds all, so that a
/// full disk costs nothing of it.
Result<void> write_figures_of_run(const std::vector<Figure>& figures, const std::filesystem::path& run_folder);

}  // namespace culprit
