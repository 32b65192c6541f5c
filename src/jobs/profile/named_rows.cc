#include "profile/named_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {

std::string quoted_row(const std::string& name) { return "'" + printable(name, 100) + "'"; }

std::string named_rows(const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 6;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) named.push_back(quoted_row(names[i]));
  std::string text = join(named, ", ");
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text;
}

}  // namespace culprit
