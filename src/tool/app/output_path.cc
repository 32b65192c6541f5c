#include "app/output_path.h"

#include <fmt/format.h>

#include "base/text.h"

namespace culprit {

tl::unexpected<Error> unfit(const std::filesystem::path& out, const std::string& why) {
  return fail(ErrorKind::usage, fmt::format("-o {}: {}", printable(out.string()), why), "name another file");
}

}  // namespace culprit
