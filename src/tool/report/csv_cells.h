#pragma once
// Cells of a .csv (RFC 4180). Private to this room.

#include <string>

namespace culprit {

/// In quotes where RFC 4180 asks for them. Newlines stay; what would steer a terminal does not, and what a spreadsheet
/// would take for a formula begins with an apostrophe.
std::string csv_text(const std::string& text);
/// "nan", "inf" and "-inf" for what is not finite.
std::string csv_number(double value);

}  // namespace culprit
