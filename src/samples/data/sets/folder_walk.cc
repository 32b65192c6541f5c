#include "data/sets/folder_walk.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <system_error>

#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

class Walk {
 public:
  Walk(fs::path root, const std::function<bool(std::string)>& take, std::size_t most)
      : root_(std::move(root)), take_(take), most_(most) {}

  Result<WalkedFolder> run() {
    read_all_from("");
    while (!is_enough_ && !links_.empty()) {
      const std::string link = std::move(links_.front());
      links_.pop_front();
      left_ = most_;
      read_all_from(link);
      if (is_too_large_) return too_large(link);
    }
    if (!unreadable_.empty())
      return fail(ErrorKind::bad_input, "cannot read the folder " + printable(root_.string()) + ": " + unreadable_);
    return std::move(walked_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> too_large(const std::string& link) const {
    return fail(ErrorKind::unsupported,
                fmt::format("{} is a link to a folder with more than {} files and folders below it",
                            printable((root_ / link).string()), most_),
                "take the link away, or give that folder itself (--data)");
  }

  /// A folder and those below it: a stack, the next one last.
  void read_all_from(const std::string& first) {
    std::vector<std::string> waiting = {first};
    while (!is_enough_ && !waiting.empty()) {
      const std::string folder = std::move(waiting.back());
      waiting.pop_back();
      auto below = read(folder);
      std::ranges::move(below.rbegin(), below.rend(), std::back_inserter(waiting));
    }
  }

  /// The folders in it.
  std::vector<std::string> read(const std::string& folder) {
    if (!is_new(folder)) return {};
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (auto at = fs::directory_iterator(root_ / folder, error); !error && at != fs::directory_iterator();
         at.increment(error)) {
      if (left_ && (*left_)-- == 0) return end_as_too_large();
      if (!at->path().filename().string().starts_with(".")) entries.push_back(*at);
    }
    if (error) pass_over_folder(folder, error.message());
    std::ranges::sort(entries);
    std::vector<std::string> folders;
    for (const fs::directory_entry& entry : entries) {
      if (is_enough_) break;
      const std::string name = (folder.empty() ? "" : folder + "/") + entry.path().filename().string();
      take_entry(entry, name, folders);
    }
    return folders;
  }

  std::vector<std::string> end_as_too_large() {
    is_enough_ = is_too_large_ = true;
    return {};
  }

  void take_entry(const fs::directory_entry& entry, const std::string& name, std::vector<std::string>& folders) {
    std::error_code error;
    const fs::file_status status = entry.status(error);
    const bool is_link = entry.is_symlink(error);
    if (fs::is_directory(status)) {
      if (name.find('/') == std::string::npos) walked_.folders.push_back(name);
      is_link ? links_.push_back(name) : folders.push_back(name);
    } else if (fs::is_regular_file(status)) {
      is_enough_ = !take_(name);
    } else if (is_link) {
      walked_.passed_over.push_back({name, "a link that leads to no file"});
    } else {
      walked_.passed_over.push_back({name, "no regular file"});
    }
  }

  bool is_new(const std::string& folder) {
    struct stat status {};
    if (::stat((root_ / folder).c_str(), &status) != 0) return true;  // what is wrong with it, reading tells
    const auto [at, is_first] = seen_.emplace(std::pair(status.st_dev, status.st_ino), folder);
    if (is_first) return true;
    walked_.passed_over.push_back(
        {folder, "the same folder as " + (at->second.empty() ? "the whole" : printable(at->second, 80)), true});
    return false;
  }

  void pass_over_folder(const std::string& folder, const std::string& reason) {
    if (folder.empty())
      unreadable_ = reason;
    else
      walked_.passed_over.push_back({folder, reason, true, true});
  }

  fs::path root_;
  const std::function<bool(std::string)>& take_;
  WalkedFolder walked_;
  std::deque<std::string> links_;
  std::map<std::pair<dev_t, ino_t>, std::string> seen_;
  std::size_t most_;
  std::optional<std::size_t> left_;  ///< entries that may still be read behind this link; absent before all links
  bool is_enough_ = false, is_too_large_ = false;
  std::string unreadable_;  // why the folder itself is
};

}  // namespace

Result<WalkedFolder> walk_folder(const fs::path& folder, const std::function<bool(std::string)>& take,
                                 std::size_t most_behind_a_link) {
  return Walk(folder, take, most_behind_a_link).run();
}

}  // namespace culprit
