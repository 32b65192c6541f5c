#pragma once
// What a profile leaves in its run folder, beside report.json.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// A report to paste into an issue, with its figures named as they lie in the run folder.
std::string profile_markdown(const ProfileReport& report);

/// profile.md (`profile_markdown`), entries.csv, samples.csv, nodes.csv, the trace of one run of each row, which is
/// moved to trace.json where it exists, and figures/*.svg. Each is written beside and renamed; figures of an earlier
/// run go. What cannot be written leaves those before it as they are.
Result<void> write_profile_files(const ProfileReport& report, const std::filesystem::path& folder,
                                 const std::filesystem::path& trace);

}  // namespace culprit
