#include "app/profile_providers.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/name_lists.h"
#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
Result<std::vector<std::string>> providers_named(const std::vector<std::string>& typed,
                                                 const std::vector<std::string>& there, const std::string& library) {
  if (typed.empty()) return std::vector<std::string>{"CPU"};
  const auto names = name_list("--provider", typed);
  if (!names) return tl::unexpected(names.error());
  std::vector<std::string> found;
  for (const std::string& name : *names) {
    const auto known = std::ranges::find(there, lower_case(name), lower_case);
    if (known == there.end()) {
      std::vector<std::string> others(there.size());
      std::ranges::transform(there, others.begin(), lower_case);
      return fail(ErrorKind::usage,
                  fmt::format("--provider {}: {} was built without it; it has {}", printable(name, 60), library,
                              join(others, ", ")),
                  "--runtime names another library: that of onnxruntime-gpu has cuda");
    }
    found.push_back(*known);
  }
  if (auto ok = each_once("--provider", found); !ok) return tl::unexpected(ok.error());
  return found;
}

}  // namespace culprit
