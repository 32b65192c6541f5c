#include "cli/figure_files.h"

#include "base/file.h"
#include "base/folder.h"

namespace culprit {

Result<void> write_figures(const std::vector<Figure>& figures, const std::filesystem::path& folder) {
  remove_folder(folder);
  if (figures.empty()) return {};
  if (auto ok = make_folder(folder); !ok) return ok;
  for (const Figure& figure : figures)
    if (auto ok = write_file_atomic(folder / figure.file, figure.svg); !ok) return ok;
  return {};
}

Result<void> write_figures_of_run(const std::vector<Figure>& figures, const std::filesystem::path& run_folder) {
  auto written = write_figures(figures, run_folder / figures_folder);
  if (!written) written.error().message += "; report.json holds all that was found";
  return written;
}

}  // namespace culprit
