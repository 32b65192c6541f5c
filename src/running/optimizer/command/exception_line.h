#pragma once
// What a Python program that failed says of it, in one line.

#include <string>
#include <string_view>

namespace culprit {

/// Finds the line behind the frames of the last traceback in what it said, which names the exception: "ValueError: no
/// such axis". It is the first line of an exception whose text has more. "" where there is no traceback. Printable, and
/// short.
std::string exception_line(std::string_view said);

}  // namespace culprit
