#include "app/diagnosed_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <utility>

#include "base/file.h"
#include "base/folder.h"
#include "conversion/map/named_pairs.h"

namespace culprit {
namespace {

bool are_distinct(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

std::vector<std::string> names_of(const std::vector<DiagnosedSide>& files) {
  std::vector<std::string> names, paths;
  for (const DiagnosedSide& file : files) {
    names.push_back(fs::path(file.facts.path).filename().string());
    paths.push_back(file.facts.path);
  }
  if (are_distinct(names)) return names;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!seen.insert(paths[i]).second) paths[i] += fmt::format(" ({})", i);  // the same file again
  return paths;
}

}  // namespace

Result<DiagnosedFiles> DiagnosedFiles::open(const std::vector<DiagnosedSide>& files, const CompareSamples& samples,
                                            const DiagnoseOptions& options, const CompareTools& tools) {
  DiagnosedFiles made(files, options, tools);
  made.names_ = names_of(files);
  made.fed_[0] = samples;
  std::set<std::string> used;
  for (std::size_t before = 0; before < files.size(); ++before)
    for (std::size_t file = before + 1; file < files.size(); ++file)
      for (const std::string& pair : made.map_of(before, file)) used.insert(pair);
  for (const std::string& pair : options.map) {
    if (used.contains(pair)) continue;
    const auto why = pairs_of_map(files.front().side->network(), files.back().side->network(), {&pair, 1});
    if (!why) return tl::unexpected(why.error());
  }
  return made;
}

std::vector<std::string> DiagnosedFiles::map_of(std::size_t before, std::size_t file) const {
  std::vector<std::string> fitting;
  std::ranges::copy_if(options_.map, std::back_inserter(fitting), [&](const std::string& pair) {
    return pairs_of_map(side(before).network(), side(file).network(), {&pair, 1}).has_value();
  });
  return fitting;
}

Result<Diagnosis> DiagnosedFiles::diagnose(std::size_t before, std::size_t file, DiagnosisDepth depth) {
  DiagnoseOptions options = options_;
  options.depth = depth;
  options.map = map_of(before, file);
  const bool is_of_ends = before == 0 && file + 1 == files_->size();
  if (!is_of_ends) options.target_samples.clear();
  const fs::path folder = tools_.folder / fmt::format("pair-{}", pairs_++);
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  const CompareProgress progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    if (tools_.progress) tools_.progress(done, total, names_[file] + ": " + what);
  };
  auto pair = diagnose_and_keep(side(before), side(file), fed_[before], std::move(options),
                                {tools_.executor, folder, progress});
  if (!pair) return tl::unexpected(pair.error());
  if (before == 0 && fed_[file].samples.empty()) {
    fed_[file] = std::move(pair->target);
    fed_[file].weak = fed_[0].weak;
    return std::move(pair->diagnosis);
  }
  remove_folder(folder);
  return std::move(pair->diagnosis);
}

}  // namespace culprit
