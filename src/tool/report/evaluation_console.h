#pragma once
// What models decide on a data set, for people: a table with a row for each model.

#include <filesystem>
#include <string>

#include "record/evaluation.h"
#include "report/console.h"

namespace culprit {

std::string to_console(const EvaluationReport& report, const ConsoleStyle& style,
                       const std::filesystem::path& run_folder);

}  // namespace culprit
