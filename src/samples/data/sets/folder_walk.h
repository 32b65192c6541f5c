#pragma once
// The files of a folder and of all folders in it, links to folders followed.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// What lies below a folder and was not read.
struct PassedOver {
  std::string name;    ///< below the folder, with '/'
  std::string reason;  ///< "Permission denied", "the same folder as cats"
  bool is_folder = false;
  bool is_unreadable = false;  ///< a folder that the system refuses; false: one that was read by another name
};

struct WalkedFolder {
  std::vector<std::string> folders;  ///< those in the folder itself, by name, also where nothing lies in them
  std::vector<PassedOver> passed_over;
};

/// Calls `take` with the name of each file until it says that this is enough. Folders are read in the order of their
/// names, then links to folders; each real folder once, so that a link in a circle ends. What begins with a dot is
/// passed over without a word. Errors: bad_input where the folder itself cannot be read: why; unsupported where a link
/// leads to a tree with more than `most_behind_a_link` files and folders: which one.
Result<WalkedFolder> walk_folder(const std::filesystem::path& folder, const std::function<bool(std::string)>& take,
                                 std::size_t most_behind_a_link = 4'000'000);

}  // namespace culprit
