#pragma once
// Lists of labels: which file shows what.

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "base/error.h"

namespace culprit {

/// Label by file name. A .csv has two columns, file and label, with or without a line of headings; a .jsonl has one
/// object a line with the keys "file" (or "image", "path", "filename") and "label" (or "class", "category"). A file
/// that is named twice with different labels is an error, as is a line that makes no sense: the message has its number.
Result<std::map<std::string, std::string, std::less<>>> read_label_list(const std::filesystem::path& path);

}  // namespace culprit
