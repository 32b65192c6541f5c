#include "cli/output_file.h"

#include <fmt/format.h>

#include <system_error>

#include "app/free_places.h"
#include "app/output_path.h"
#include "base/file.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "report/written_report.h"

namespace culprit {

Result<void> output_folder_must_be_there(const fs::path& out) {
  std::error_code error;
  if (fs::is_directory(parent_folder(out), error) && !fs::is_directory(out, error)) return {};
  return fail(ErrorKind::usage, fmt::format("-o {}: not a file in a folder that is there", printable(out.string())),
              "make the folder first, or name another file");
}

namespace {

/// Text in place of the report.json that this very run writes.
Result<void> must_not_be_the_report(const fs::path& out, Format format, const fs::path& run_dir) {
  const bool is_text = format == Format::text && !run_dir.empty();
  if (!is_text || !lies_in(out, run_dir / "report.json")) return {};
  return unfit(out, "the run writes its report.json there");
}

Result<void> must_be_ours(const fs::path& out) {
  std::error_code error;
  const bool is_stream = out.parent_path() == "/dev";  // /dev/stdout is a link, which may lead to a file
  if (is_stream || !fs::is_regular_file(out, error)) return {};
  const std::string found = what_else_than_a_report(out);
  return found.empty() ? Result<void>()
                       : unfit(out, "there is a file that is no report, and it is not replaced: " + found);
}

Result<void> place_must_be_fine(const fs::path& out, Format format, const WorkshopOrder& order) {
  if (out.empty()) return {};
  if (auto other = must_not_be_read(out, order); !other) return other;
  if (out.extension() == ".onnx") {
    return fail(
        ErrorKind::usage,
        fmt::format("-o {}: a report is written there, and that is the name of a model", printable(out.string())),
        "name a .txt or .json file; culprit optimize writes models");
  }
  return output_folder_must_be_there(out)
      .and_then([&] { return place_must_be_free(out, order); })
      .and_then([&] { return must_not_be_the_report(out, format, order.folder.run_dir); })
      .and_then([&] { return must_be_ours(out); });
}

}  // namespace

Result<void> output_must_be_fine(const fs::path& output, Format format, const WorkshopOrder& order) {
  return named_files_must_be_there(order).and_then([&] { return place_must_be_fine(output, format, order); });
}

}  // namespace culprit
