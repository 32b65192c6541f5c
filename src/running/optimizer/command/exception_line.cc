#include "optimizer/command/exception_line.h"

#include "base/text.h"

namespace culprit {

std::string exception_line(std::string_view said) {
  constexpr std::string_view head = "Traceback (most recent call last):";
  constexpr std::size_t longest = 400;
  const auto begin = said.rfind(head);
  if (begin == std::string_view::npos) return "";
  for (const std::string& line : split(said.substr(begin + head.size()), '\n'))
    if (!trim(line).empty() && line.front() != ' ') return printable(trim(line), longest);
  return "";
}

}  // namespace culprit
