#pragma once
// What the console says of a conversion that went in several steps.

#include <string>

#include "record/diagnosis.h"
#include "report/console.h"

namespace culprit {

/// A line for each file, and a table of errors, sample by file. "" without intermediate files.
std::string stages_part(const Diagnosis& diagnosis, const ConsoleStyle& style);

/// A line that says which two files the table of layers is of. "" where these are the source and the target.
std::string whose_layers(const Diagnosis& diagnosis, const ConsoleStyle& style);

}  // namespace culprit
