#include "cli/profile_files.h"

#include <algorithm>
#include <vector>

#include "base/file.h"
#include "cli/figure_files.h"
#include "report/profile_csv.h"
#include "report/profile_figures.h"
#include "report/profile_markdown.h"

namespace culprit {
namespace {

Result<void> move_file(const fs::path& from, const fs::path& to) {
  std::error_code error;
  if (!fs::exists(from, error)) return {};
  fs::rename(from, to, error);
  if (error) return fail(ErrorKind::io, "cannot write " + to.string() + ": " + error.message());
  return {};
}

bool has_nodes(const ProfileReport& report) {
  return std::ranges::any_of(report.entries, [](const ProfileEntry& entry) { return entry.nodes.has_value(); });
}

}  // namespace

std::string profile_markdown(const ProfileReport& report) {
  std::vector<ProfilePicture> pictures;
  for (const Figure& figure : figures_of(report))
    pictures.push_back({figure.title, std::string(figures_folder) + "/" + figure.file});
  return to_markdown(report, pictures);
}

Result<void> write_profile_files(const ProfileReport& report, const fs::path& folder, const fs::path& trace) {
  auto written = write_file_atomic(folder / "profile.md", profile_markdown(report));
  if (written) written = write_file_atomic(folder / "entries.csv", to_csv(report));
  if (written) written = write_file_atomic(folder / "samples.csv", samples_to_csv(report));
  if (written && has_nodes(report)) written = write_file_atomic(folder / "nodes.csv", nodes_to_csv(report));
  if (written && report.sweep) written = write_file_atomic(folder / "sweep.csv", sweep_to_csv(*report.sweep));
  if (written) written = move_file(trace, folder / "trace.json");
  if (written) written = write_figures(figures_of(report), folder / figures_folder);
  return written;
}

}  // namespace culprit
