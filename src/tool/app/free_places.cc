#include "app/free_places.h"

#include <fmt/format.h>

#include <system_error>

#include "app/output_path.h"
#include "base/file.h"
#include "base/parent_folder.h"
#include "base/text.h"

namespace culprit {
namespace {

/// "the model itself" or "what --known names"
std::string told(const NamedFile& file) {
  return file.flag.starts_with('-') ? "what " + printable(file.flag) + " names" : "the model itself";
}

bool is_to_be_made(const fs::path& out) {
  std::error_code error;
  return !fs::exists(out, error) || fs::is_regular_file(out, error);  // else a device or a pipe
}

/// Tried, for something goes there when hours of work are done.
Result<void> folder_must_take_files(const fs::path& out) {
  std::error_code error;
  const fs::path folder = parent_folder(out);
  if (!is_to_be_made(out) || !fs::is_directory(folder, error)) return {};
  const auto tried = TemporaryFolder::create(folder, ".culprit-");
  return tried ? Result<void>() : unfit(out, tried.error().message);
}

/// What an earlier run left goes when the new variants and repros come.
Result<void> must_not_go_with_a_run(const fs::path& out, const fs::path& run_dir) {
  if (run_dir.empty()) return {};
  for (const char* replaced : {"variants", "repro"}) {
    if (lies_in(out, run_dir / replaced)) return unfit(out, "a run replaces what lies in that folder");
  }
  return {};
}

}  // namespace

bool lies_in(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(folder, error));
  return !inside.empty() && *inside.begin() != "..";
}

Result<void> must_not_be_read(const fs::path& out, const WorkshopOrder& order) {
  std::error_code error;
  for (const NamedFile& file : files_to_read(order)) {
    if (fs::equivalent(out, file.path, error))
      return unfit(out, "that is " + told(file) + ", and would be overwritten");
  }
  return {};
}

Result<void> run_folder_must_hold_nothing_to_read(const WorkshopOrder& order) {
  std::error_code error;
  const fs::path& folder = order.folder.run_dir;
  if (folder.empty() || !fs::exists(folder, error)) return {};
  const std::string flag = "--run-dir " + printable(folder.string());
  if (!fs::is_directory(folder, error))
    return fail(ErrorKind::usage, flag + ": not a folder", "name a new or empty folder");
  for (const NamedFile& file : files_to_read(order)) {
    if (!lies_in(file.path, folder)) continue;
    return fail(ErrorKind::usage,
                fmt::format("{}: {} ({}) lies in it, and could go when the new variants and repros come", flag,
                            printable(file.path.string()), told(file)),
                "name another folder");
  }
  return {};
}

Result<void> place_must_be_free(const fs::path& out, const WorkshopOrder& order) {
  return must_not_be_read(out, order).and_then([&] { return folder_must_take_files(out); }).and_then([&] {
    return must_not_go_with_a_run(out, order.folder.run_dir);
  });
}

}  // namespace culprit
