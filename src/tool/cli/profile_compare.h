#pragma once
// Kept profiles as a gate: read, and held against. One that is measured now, or two that are kept.

#include <filesystem>
#include <optional>
#include <string>

#include "cli/commands/profile.h"
#include "record/profile.h"
#include "report/console.h"

namespace culprit {

/// Nothing where no file is named. Errors: usage, with the flag in front; the file is not there, is no profile, or none
/// that a profile can have written.
Result<std::optional<ProfileReport>> kept_profile(const char* flag, const std::filesystem::path& file);

/// What of `report` is worse than in `kept` goes into it, and what could not be compared. Is that no answer, for there
/// was too little to compare?
bool hold_against(const ProfileReport& kept, const std::filesystem::path& file, ProfileReport& report);

/// What a report says that nobody interrupted: a row failed or is worse, or else whether there was an answer.
int exit_code_of(const ProfileReport& report, bool is_no_answer);

/// The report in the form that was asked for. `run_folder` is named at its end where it is text; "": there is none.
std::string printed_profile(const ProfileReport& report, ProfileForm form, const ConsoleStyle& style,
                            const std::filesystem::path& run_folder);

/// `--compare`: the report that stands in the place of a model, held against the kept one; nothing is measured, and
/// only what is printed is written. Errors: usage, io.
Result<int> compare_profiles(const ProfileArguments& arguments, Terminal& terminal);

}  // namespace culprit
