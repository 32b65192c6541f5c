#pragma once
// Names and messages of untrusted models inside Markdown: they stay text. https://spec.commonmark.org

#include <string>
#include <string_view>

namespace culprit {

/// The text on one line as a code span, with a fence of backticks that is longer than any inside.
std::string code_span(std::string_view text);
/// Lines as a fenced block, with a fence that is longer than any run of backticks inside. Control characters are made
/// printable.
std::string code_block(std::string_view text, std::string_view language = "");

}  // namespace culprit
