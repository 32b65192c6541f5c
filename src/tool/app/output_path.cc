#include "app/output_path.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit {

tl::unexpected<Error> unfit(const std::filesystem::path& out, const std::string& why) {
  return fail(ErrorKind::usage, fmt::format("-o {}: {}", printable(out.string()), why), "name another file");
}

std::filesystem::path folder_of(const std::filesystem::path& out) {
  return out.has_parent_path() ? out.parent_path() : ".";
}

}  // namespace culprit
