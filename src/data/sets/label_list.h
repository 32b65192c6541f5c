#pragma once
// Lists of labels: which file shows what.

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "base/error.h"

namespace culprit {

struct ListedLabel {
  std::string text;
  std::size_t line = 0;  ///< where it stands in the list, from 1
};

/// By file name.
using LabelList = std::map<std::string, ListedLabel, std::less<>>;

/// A .csv has two columns, file and label, with or without a line of headings; a .jsonl has one object a line with the
/// keys "file" (or "image", "path", "filename") and "label" (or "class", "category"). The mark that Windows programs
/// put at the beginning of UTF-8 is passed over. A file that is named twice with different labels is an error, as is a
/// line that makes no sense: the message has its number.
Result<LabelList> read_label_list(const std::filesystem::path& path);

/// Without the mark EF BB BF at its beginning.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace culprit
