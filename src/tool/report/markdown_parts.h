#pragma once
// Markdown out of untrusted text. Seen in this room only.

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// Shown as it is, whatever is in it, on one line; fits into the cell of a table.
std::string markdown_text(std::string_view text);
/// Writes the text as code: `Conv_0`. Nothing for "".
std::string markdown_code(std::string_view text);

/// A table. Cells are Markdown already. The columns of text stand left, the others right.
std::string markdown_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows,
                           const std::set<std::size_t>& columns_of_text = {0});

}  // namespace culprit
