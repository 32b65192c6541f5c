#pragma once
// Starts the built `culprit` (CULPRIT_BINARY) as a user would, and reads what it says.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/file.h"

namespace culprit::testing {

/// With single spaces for lines and indents: how a text is broken hangs on the length of a temporary folder's name.
std::string on_one_line(const std::string& text);

struct Ran {
  int exit = -1;  ///< exit status; 128 + signal where one ended it
  std::string out;
  std::string err;
  nlohmann::json report;  ///< report.json of the run directory; null where there is none
  /// What does not follow from the report by itself, says tests/schema/recompute.py; "" where all of it does.
  std::string does_not_follow;
};

/// `culprit ARGS`, in a scratch folder of its own, stdin closed.
Ran culprit(const std::vector<std::string>& arguments);
/// `culprit check ARGS --run-dir <scratch>`, with the report read back. Without repros, for that folder goes
/// again. `binary`: another one than the product's.
Ran culprit_check(std::vector<std::string> arguments, const std::filesystem::path& binary = "");

/// What does not follow from a report by itself, says tests/schema/recompute.py; "" where all of it does.
std::string recompute(const nlohmann::json& report);

/// A folder for one test, removed at its end.
TemporaryFolder scratch();

/// The zoo of real models: CULPRIT_ZOO, else shared/zoo beside the checkout; "" where there is none (then tests skip
/// with a word).
std::filesystem::path zoo();

}  // namespace culprit::testing
