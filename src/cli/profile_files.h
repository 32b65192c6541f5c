#pragma once
// What a profile leaves in its run folder, beside report.json.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// profile.md (to paste into an issue), entries.csv, samples.csv, nodes.csv, figures/*.svg, and the trace of one run of
/// each row, which is moved to trace.json where it exists. Each is written beside and renamed; figures of an earlier
/// run go. Returns what profile.md holds.
Result<std::string> write_profile_files(const ProfileReport& report, const std::filesystem::path& folder,
                                        const std::filesystem::path& trace);

}  // namespace culprit
