#include <string>
#include <system_error>

#include "optimizer/optimizer.h"

namespace culprit {

namespace fs = std::filesystem;

std::string scratch_prefix(std::int64_t process) {
  return process == 0 ? "call-" : "call-" + std::to_string(process) + "-";
}

void remove_scratch(const fs::path& folder, std::int64_t process) {
  const std::string prefix = scratch_prefix(process);
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();) {
    const fs::path path = entry->path();
    entry.increment(error);
    std::error_code ignored;
    if (path.filename().string().starts_with(prefix)) fs::remove_all(path, ignored);
  }
}

}  // namespace culprit
