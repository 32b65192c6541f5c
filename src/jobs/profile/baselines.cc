#include "profile/baselines.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace culprit {

std::vector<std::size_t> baselines_of(const std::vector<ProfiledRow>& rows, const std::vector<MadeRow>& made,
                                      std::optional<std::size_t> named) {
  std::map<std::size_t, std::vector<std::size_t>> by_model;
  for (std::size_t i = 0; i < rows.size(); ++i) by_model[rows[i].model].push_back(i);
  const bool has_several_rows_each = by_model.size() < rows.size();
  if (named || by_model.size() < 2 || !has_several_rows_each)
    return std::vector<std::size_t>(rows.size(), named.value_or(0));
  std::vector<std::size_t> baselines(rows.size());
  for (const auto& [model, its] : by_model) {
    const auto loads = std::ranges::find_if(its, [&](std::size_t row) { return !made[row].failure.failed(); });
    for (const std::size_t i : its) baselines[i] = loads == its.end() ? its.front() : *loads;
  }
  return baselines;
}

std::vector<std::vector<std::size_t>> with_one_baseline(const std::vector<std::size_t>& baselines) {
  std::map<std::size_t, std::vector<std::size_t>> groups;
  for (const std::size_t baseline : baselines) groups[baseline] = {baseline};
  for (std::size_t i = 0; i < baselines.size(); ++i)
    if (i != baselines[i]) groups[baselines[i]].push_back(i);
  std::vector<std::vector<std::size_t>> all;
  all.reserve(groups.size());
  for (auto& [baseline, group] : groups) all.push_back(std::move(group));
  return all;
}

std::vector<std::size_t> rows_that_load(const std::vector<std::size_t>& rows, const std::vector<MadeRow>& made) {
  std::vector<std::size_t> loaded;
  std::ranges::copy_if(rows, std::back_inserter(loaded), [&](std::size_t row) { return !made[row].failure.failed(); });
  return loaded;
}

}  // namespace culprit
