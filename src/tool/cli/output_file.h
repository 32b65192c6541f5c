#pragma once
// The file of -o that a command prints its report into: may it be written there?

#include <filesystem>

#include "app/workshop_order.h"
#include "base/error.h"

namespace culprit {

enum class Format { text, json };

/// ErrorKind::usage where the output is a folder, or lies in one that is not there.
Result<void> output_folder_must_be_there(const std::filesystem::path& output);

/// ErrorKind::usage for a named file of the order that is not there; an output that is one of the files to read, or
/// anything that is no report of ours, or cannot be written. "": standard output, which is always fine.
Result<void> output_must_be_fine(const std::filesystem::path& output, Format format, const WorkshopOrder& order);

}  // namespace culprit
