#pragma once
// Before anything is done: is nothing of the user's in the place of what will be written?

#include <filesystem>
#include <string>

#include "app/named_files.h"
#include "app/workshop_order.h"
#include "base/error.h"

namespace culprit {

/// ErrorKind::usage for a run folder that is no folder, or holds one of the files to read: what lies there goes when
/// the files of the new run come.
Result<void> run_folder_must_hold_nothing_to_read(const WorkshopOrder& order);

/// ErrorKind::usage for a place of a file that will be made, such as an optimized model, which is one of the files to
/// read, lies in a folder that cannot be written, or lies where a run removes what an earlier one left.
Result<void> place_must_be_free(const std::filesystem::path& out, const WorkshopOrder& order);

/// ErrorKind::usage where `out` is one of the files to read.
Result<void> must_not_be_read(const std::filesystem::path& out, const WorkshopOrder& order);

/// Does the file lie in this folder, or is it the folder itself? Both are looked up as the system would walk to them.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace culprit
