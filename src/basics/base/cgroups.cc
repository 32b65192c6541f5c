#include "base/cgroups.h"

#include <fstream>

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// The group `below` this mount, and all that it lies in.
void add_path(std::vector<CgroupFolder>& folders, const fs::path& mount, const fs::path& below, int version) {
  folders.push_back({mount, version});
  fs::path at = mount;
  for (const fs::path& part : below.relative_path()) folders.push_back({at /= part, version});
}

bool names(const std::string& controllers, std::string_view one) {
  return ("," + controllers + ",").find("," + std::string(one) + ",") != std::string::npos;
}

}  // namespace

std::vector<CgroupFolder> cgroup_folders(std::string_view controller, const fs::path& root) {
  const fs::path mounts = root / "sys/fs/cgroup";
  std::vector<CgroupFolder> folders;
  std::ifstream groups(root / "proc/self/cgroup");  // lines "4:memory:/a/b"; version 2 is "0::/a/b"
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {"", "unified"}) add_path(folders, mounts / mount, path, 2);
    } else if (names(controllers, controller)) {
      add_path(folders, mounts / controller, path, 1);
    }
  }
  return folders;
}

}  // namespace culprit
