#pragma once
// One reader for each format of texts. Private to this room.

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "texts/text_files.h"

namespace culprit {

/// No file of texts has more bytes; nothing larger is read.
inline constexpr std::uint64_t largest_text_file = std::uint64_t{4} << 30;
/// No single text has more bytes.
inline constexpr std::size_t longest_text = std::size_t{4} << 20;

/// Folders of .txt: the classes, if there are at least two; one folder without others: texts without labels.
Result<TextSet> read_text_folder(const std::filesystem::path& folder);
/// A line of headings says which column is what.
Result<TextSet> read_text_table(std::string_view bytes, const std::string& name, char separator);
/// A JSON object in each line.
Result<TextSet> read_json_lines(std::string_view bytes, const std::string& name);
/// SQuAD 1.1 and 2.0.
Result<TextSet> read_squad(std::string_view bytes, const std::string& name);

/// Takes the item if it is of use, else notes why not: no UTF-8, empty, longer than any text may be.
void take_text(TextSet& set, TextItem item);

/// The set, or bad_input where it has no items: with the first reason.
Result<TextSet> of_use(TextSet set, const std::string& where);

}  // namespace culprit
