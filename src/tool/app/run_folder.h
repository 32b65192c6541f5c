#pragma once
// The folder of one run: report.json, variants/, repro/, logs/. Nothing of an unfinished run is left in it but logs.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/owner_lock.h"
#include "base/error.h"
#include "base/file.h"
#include "record/report.h"
#include "repro/keep_fault.h"

namespace culprit {

class RunFolder {
 public:
  /// `wanted` "": a new folder .culprit/<UTC time>-<id> in the current one, in which dead runs are cleaned up after.
  /// Else that folder: new, empty, or with a report of ours, which stays until `finish` puts the new one in its place.
  /// ErrorKind::usage where other files are in it.
  static Result<RunFolder> create(const fs::path& wanted);
  RunFolder(RunFolder&& other) noexcept
      : path_(std::move(other.path_)),
        created_(other.created_),
        lock_(std::move(other.lock_)),
        work_(std::exchange(other.work_, std::nullopt)),  // the one without it cleans nothing up
        stems_(std::move(other.stems_)),
        stem_of_(std::move(other.stem_of_)) {}
  RunFolder& operator=(RunFolder&&) noexcept = delete;
  ~RunFolder();

  [[nodiscard]] const fs::path& path() const { return path_; }  ///< as a user should see it
  [[nodiscard]] fs::path logs() const { return fs::absolute(path_) / "logs"; }

  /// A folder for the work on one model; removed at the end.
  Result<fs::path> work_folder(std::size_t model) const;

  /// A folder for what starts programs that are no workers; removed at the end.
  [[nodiscard]] Result<fs::path> hosts() const;

  /// Keeps the variants that are faulty (or all) out of a model's work folder: they get readable names under
  /// variants/<model>/, and the records get the paths relative to this folder; the others get "". Seen in `path()` only
  /// after `finish`.
  Result<void> keep_variants(ModelReport& report, const fs::path& work_folder, bool all, bool strict);

  /// The folder in which a fault's repro is written, and what the report calls it: "repro/F1", or "repro/<model>/F1" of
  /// one of several models. Seen in `path()` only after `finish`.
  [[nodiscard]] ReproPlace repro_place(const fs::path& model, const fs::path& work_folder, const std::string& fault,
                                       bool is_one_of_several);

  /// Is there a report? Until `finish` it is that of an earlier run.
  [[nodiscard]] bool holds_a_report() const;

  /// Writes the report and shows the kept variants and repros in place of those of an earlier run.
  Result<void> finish(const std::string& report_json);

 private:
  RunFolder(fs::path path, bool created, OwnerLock lock, TemporaryFolder work)
      : path_(std::move(path)), created_(created), lock_(std::move(lock)), work_(std::move(work)) {}
  const std::string& stem_of(const fs::path& model, const fs::path& work_folder);
  [[nodiscard]] Result<void> show_kept(const char* what) const;
  fs::path path_;
  bool created_ = false;
  OwnerLock lock_;  // of the work folder: let go when that is gone
  std::optional<TemporaryFolder> work_;
  std::set<std::string> stems_;
  std::map<fs::path, std::string> stem_of_;  // by work folder
};

}  // namespace culprit
