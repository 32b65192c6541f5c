#include "base/cache_folder.h"

#include <cstdlib>
#include <string>

namespace culprit {
namespace {

std::filesystem::path from(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

std::filesystem::path cache_folder() {
  if (auto named = from("CULPRIT_CACHE"); !named.empty()) return named;
  if (const auto xdg = from("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "culprit";
  const auto home = from("HOME");
  return home.empty() ? home : home / ".cache" / "culprit";
}

}  // namespace culprit
