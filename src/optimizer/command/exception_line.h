#pragma once
// What a Python program that failed says of it, in one line.

#include <string>
#include <string_view>

namespace culprit {

/// Of the last traceback in what it said the line behind the frames, which names the exception: "ValueError: no such
/// axis". Of an exception whose text has more lines, the first. "" where there is no traceback. Printable, and short.
std::string exception_line(std::string_view said);

}  // namespace culprit
