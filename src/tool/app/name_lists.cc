#include "app/name_lists.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "base/text.h"

namespace culprit {
tl::unexpected<Error> refuse_value(const std::string& flag, const std::string& text, const std::string& why,
                                   const std::string& hint) {
  return fail(ErrorKind::usage, fmt::format("{} {}: {}", flag, text.empty() ? "''" : printable(text, 60), why), hint);
}

Result<std::vector<std::string>> name_list(const std::string& flag, const std::vector<std::string>& typed,
                                           const std::string& listing) {
  const std::string hint = "give names with commas between; " + listing;
  std::vector<std::string> names;
  for (const std::string& part : typed) {
    if (trim(part).empty()) return refuse_value(flag, part, "names no pass", hint);
    for (const std::string& piece : split(part, ',')) {
      if (trim(piece).empty()) return refuse_value(flag, part, "an empty name", hint);
      names.emplace_back(trim(piece));
    }
  }
  return names;
}

Result<void> each_once(const std::string& flag, const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      return refuse_value(flag, join(names, ","), "'" + printable(name, 60) + "' is named twice", "name each once");
  return {};
}

}  // namespace culprit
