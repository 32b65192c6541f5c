#include "report/csv_cells.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/text.h"

namespace culprit {

std::string csv_text(const std::string& text) {
  constexpr std::string_view formula_starts = "=+-@\t\r";
  std::string shown = printable(text, text.size() + 1, /*one_line=*/false);
  if (!shown.empty() && formula_starts.find(shown.front()) != std::string_view::npos) shown.insert(0, 1, '\'');
  if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

}  // namespace culprit
