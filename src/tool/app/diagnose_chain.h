#pragma once
// A conversion in several steps: the source, the files between, the target. Which is the first wrong file, what did it
// add, what did those behind it inherit, add or mend? Runs nothing itself.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "conversion/diagnose.h"
#include "record/diagnosis.h"

namespace culprit {

/// What is wrong with one file, held against one before it. Files are numbered in the order of the conversion, from 0,
/// the source. A file is held against the source before it stands on the left of another.
using DiagnoseFiles = std::function<Result<Diagnosis>(std::size_t before, std::size_t file, DiagnosisDepth depth)>;

/// `names`: of all files. Each file is held against the source, but only its outputs; faults are looked for only where
/// a file can have added one, and where the target is right. What the diagnosis says of source and target, of outputs
/// and of the status is that of these two; Diagnosis::stages tells of all files. Errors: those of `diagnose`.
Result<Diagnosis> diagnose_chain(const std::vector<std::string>& names, const DiagnoseFiles& diagnose);

}  // namespace culprit
