#pragma once
// Text in columns: how wide it is on a terminal, cutting, wrapping, colour. All text is UTF-8 that went through
// `printable`.

#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// Columns that a terminal gives to this text: 2 for East Asian wide characters and emoji, 0 for combining marks.
int display_width(std::string_view text);

/// Cut in the middle with "…"; unchanged if it fits.
std::string cut_middle(std::string_view text, int width);
/// Cuts paths, whose end tells more than their beginning: "/home/so…superresolution-ext-18.onnx".
std::string cut_path(std::string_view path, int width);

/// Lines of at most `width` columns, broken at spaces; a word that is too long for a line is broken inside. Never
/// empty.
std::vector<std::string> wrap(std::string_view text, int width);

/// `first` and then the text; its further lines are indented to where the text began. Each line ends with a newline.
std::string hanging(std::string_view first, std::string_view text, int width);

std::string pad_right(std::string_view text, int width);
std::string pad_left(std::string_view text, int width);

/// A command to copy, quoted for the shell. Broken with "\" where a line would be too long, so that it still is the
/// same command. The last line has no newline.
std::string shell_command(const std::vector<std::string>& words, int indent, int width);

enum class Ink { plain, good, bad, doubtful, faint, strong };

/// Wraps text into the colours of a terminal, or into nothing.
std::string painted(std::string_view text, Ink ink, bool colour);

}  // namespace culprit
