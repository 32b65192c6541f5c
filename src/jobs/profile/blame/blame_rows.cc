#include "profile/blame/blame_rows.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/stopwatch.h"
#include "base/text.h"
#include "profile/blame/blame_row.h"
#include "profile/named_rows.h"
#include "profile/time_plan.h"

namespace culprit {
namespace {

bool has_steps(const ProfiledRow& row) { return row.recipe || row.session.level != Level::off; }

std::vector<std::string> rows_that_are(const ProfileReport& report, bool (*is_so)(SpeedVerdict)) {
  std::vector<std::string> names;
  for (const ProfileEntry& entry : report.entries)
    if (is_so(entry.verdict)) names.push_back(entry.name);
  return names;
}

}  // namespace

std::vector<std::size_t> rows_to_blame(const ProfileReport& report) {
  std::vector<std::size_t> slower, fastest;
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const ProfileEntry& entry = report.entries[i];
    if (entry.verdict == SpeedVerdict::slower) slower.push_back(i);
    if (entry.verdict != SpeedVerdict::faster) continue;
    if (fastest.empty() || entry.ratio.value < report.entries[fastest.front()].ratio.value) fastest = {i};
  }
  return slower.empty() ? fastest : slower;
}

std::optional<Warning> nothing_to_blame(const ProfileReport& report) {
  if (!rows_to_blame(report).empty()) return std::nullopt;
  const auto same = rows_that_are(report, [](SpeedVerdict verdict) { return verdict == SpeedVerdict::same; });
  const auto unsure = rows_that_are(report, is_unsure);
  std::vector<std::string> said;
  if (!same.empty())
    said.push_back(fmt::format("{} {} as fast as the baseline, so no step is to be found", named_rows(same),
                               same.size() == 1 ? "is" : "are"));
  if (!unsure.empty())
    said.push_back(fmt::format("of {} nobody can tell yet; --until-sure, or more blocks, tell", named_rows(unsure)));
  if (said.empty()) said.emplace_back("there is no row beside the baseline that runs");
  return Warning{"nothing_to_blame", "--blame asked nothing: " + join(said, "; ")};
}

Result<void> blame_rows(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                        const std::vector<MadeRow>& made, const ProfileOptions& options, const ProfileTools& tools,
                        const BlameTime& time, ProfileReport& report) {
  if (auto warning = nothing_to_blame(report)) report.warnings.push_back(std::move(*warning));
  const std::vector<std::size_t> which = rows_to_blame(report);
  std::size_t to_come = which.size();
  for (const std::size_t i : which) {
    if (is_stopped(tools.is_interrupted)) return ended_early();
    ProfileEntry& entry = report.entries[i];
    const ProfiledRow& row = rows[i];
    if (!has_steps(row)) {
      --to_come;
      entry.warnings.push_back(
          {"nothing_to_blame",
           "it is a model as it was given, at level off, where the runtime runs no step: the model "
           "itself is " +
               std::string(name_of(entry.verdict))});
      continue;
    }
    const auto optimizer = tools.optimizer(row);
    if (!optimizer) return tl::unexpected(optimizer.error());
    const std::size_t baseline = entry.baseline;
    BlamedRow blamed{models,     row,           made[baseline].measured,
                     *optimizer, entry.verdict, row.model != rows[baseline].model};
    blamed.seconds_a_block = time.seconds_a_block;
    blamed.is_time_up = [watch = Stopwatch(), most = time.seconds_of_row(to_come--)] {
      return watch.seconds() >= most;
    };
    auto record = blame_row(blamed, options, tools);
    if (!record) return tl::unexpected(record.error());
    report.blames.push_back(std::move(*record));
  }
  return {};
}

}  // namespace culprit
