#include "cli/check_paths.h"

#include <fmt/format.h>

#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "cli/named_files.h"
#include "cli/output_path.h"
#include "report/written_report.h"

namespace culprit {
namespace {

/// Both as the system would walk to them; a file is in itself.
bool is_in(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(file, error).lexically_relative(fs::weakly_canonical(folder, error));
  return !inside.empty() && *inside.begin() != "..";
}

/// "the model itself" or "what --known names"
std::string told(const NamedFile& file) {
  return file.flag == "MODEL" ? "the model itself" : "what " + printable(file.flag) + " names";
}

bool is_to_be_made(const fs::path& out) {
  std::error_code error;
  return !fs::exists(out, error) || fs::is_regular_file(out, error);  // else a device or a pipe
}

Result<void> folder_must_be_there(const fs::path& out) {
  std::error_code error;
  if (fs::is_directory(folder_of(out), error) && !fs::is_directory(out, error)) return {};
  return fail(ErrorKind::usage, fmt::format("-o {}: not a file in a folder that is there", printable(out.string())),
              "make the folder first, or name another file");
}

/// Tried, for something goes there when hours of work are done.
Result<void> folder_must_take_files(const fs::path& out) {
  std::error_code error;
  const fs::path folder = folder_of(out);
  if (!is_to_be_made(out) || !fs::is_directory(folder, error)) return {};
  const auto tried = TemporaryFolder::create(folder, ".culprit-");
  return tried ? Result<void>() : unfit(out, tried.error().message);
}

Result<void> must_not_be_read(const fs::path& out, const CheckArguments& arguments) {
  std::error_code error;
  for (const NamedFile& file : files_to_read(arguments)) {
    if (fs::equivalent(out, file.path, error))
      return unfit(out, "that is " + told(file) + ", and would be overwritten");
  }
  return {};
}

/// What an earlier run left goes when the new variants and repros come.
Result<void> must_not_go_with_a_run(const fs::path& out, const CheckArguments& arguments) {
  if (arguments.run_dir.empty()) return {};
  for (const char* replaced : {"variants", "repro"}) {
    if (is_in(out, arguments.run_dir / replaced)) return unfit(out, "a run replaces what lies in that folder");
  }
  return {};
}

/// Text in place of the report.json that this very run writes.
Result<void> must_not_be_the_report(const CheckArguments& arguments) {
  const bool is_text = arguments.format == Format::text && !arguments.run_dir.empty();
  if (!is_text || !is_in(arguments.output, arguments.run_dir / "report.json")) return {};
  return unfit(arguments.output, "the run writes its report.json there");
}

Result<void> must_be_ours(const fs::path& out) {
  std::error_code error;
  const bool is_stream = out.parent_path() == "/dev";  // /dev/stdout is a link, which may lead to a file
  if (is_stream || !fs::is_regular_file(out, error)) return {};
  const std::string found = what_else_than_a_report(out);
  return found.empty() ? Result<void>()
                       : unfit(out, "there is a file that is no report, and it is not replaced: " + found);
}

Result<void> output_must_be_fine(const CheckArguments& arguments) {
  const fs::path& out = arguments.output;
  if (out.empty()) return {};
  if (auto other = must_not_be_read(out, arguments); !other) return other;
  if (out.extension() == ".onnx") {
    return fail(
        ErrorKind::usage,
        fmt::format("-o {}: a report is written there, and that is the name of a model", printable(out.string())),
        "name a .txt or .json file; culprit optimize writes models");
  }
  return folder_must_be_there(out)
      .and_then([&] { return place_must_be_free(out, arguments); })
      .and_then([&] { return must_not_be_the_report(arguments); })
      .and_then([&] { return must_be_ours(out); });
}

/// The run folder replaces what an earlier run left in it.
Result<void> run_folder_must_hold_nothing_to_read(const CheckArguments& arguments) {
  std::error_code error;
  const fs::path& folder = arguments.run_dir;
  if (folder.empty() || !fs::exists(folder, error)) return {};
  const std::string flag = "--run-dir " + printable(folder.string());
  if (!fs::is_directory(folder, error))
    return fail(ErrorKind::usage, flag + ": not a folder", "name a new or empty folder");
  for (const NamedFile& file : files_to_read(arguments)) {
    if (!is_in(file.path, folder)) continue;
    return fail(ErrorKind::usage,
                fmt::format("{}: {} ({}) lies in it, and could go when the new variants and repros come", flag,
                            printable(file.path.string()), told(file)),
                "name another folder");
  }
  return {};
}

}  // namespace

Result<void> place_must_be_free(const fs::path& out, const CheckArguments& arguments) {
  return must_not_be_read(out, arguments).and_then([&] { return folder_must_take_files(out); }).and_then([&] {
    return must_not_go_with_a_run(out, arguments);
  });
}

Result<void> places_must_be_fine(const CheckArguments& arguments) {
  return named_files_must_be_there(arguments).and_then([&] { return output_must_be_fine(arguments); }).and_then([&] {
    return run_folder_must_hold_nothing_to_read(arguments);
  });
}

}  // namespace culprit
