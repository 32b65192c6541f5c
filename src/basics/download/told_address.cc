#include "download/told_address.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {

std::string told_address(std::string_view url) {
  constexpr std::size_t longest = 300;
  constexpr std::string_view behind_scheme = "://";
  const std::size_t scheme = url.find(behind_scheme);
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + behind_scheme.size();
  const std::size_t end_of_host = std::min(url.find_first_of("/?#", begin), url.size());
  const std::size_t at = url.substr(0, end_of_host).rfind('@');
  const bool has_user = at != std::string_view::npos && at >= begin;
  const std::size_t query = std::min(url.find('?', begin), url.size());
  std::string told(url.substr(0, begin));
  told += url.substr(has_user ? at + 1 : begin, query - (has_user ? at + 1 : begin));
  if (query < url.size()) told += "?...";
  return printable(told, longest);
}

}  // namespace culprit
