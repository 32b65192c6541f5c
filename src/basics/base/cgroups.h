#pragma once
// Finds where the system keeps what it limits and counts of the group of processes that this one is in.
// https://docs.kernel.org/admin-guide/cgroup-v2.html

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

struct CgroupFolder {
  std::filesystem::path path;
  int version = 2;  ///< names of files differ: "memory.max" in 2, "memory.limit_in_bytes" in 1
};

/// For a controller such as "memory" or "cpu": the folders of this process' own group and of all groups that it lies
/// in, from the mount down. In a container the path is often one of outside; then most of them do not exist, and what
/// lies at the root of the mount is the container's. `root` stands for "/".
std::vector<CgroupFolder> cgroup_folders(std::string_view controller, const std::filesystem::path& root = "/");

}  // namespace culprit
