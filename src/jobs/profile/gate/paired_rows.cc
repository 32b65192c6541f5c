#include "profile/gate/paired_rows.h"

#include <algorithm>

#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

std::optional<std::size_t> index_of(const ProfileReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.entries, name, &ProfileEntry::name);
  if (found == report.entries.end()) return std::nullopt;
  return static_cast<std::size_t>(found - report.entries.begin());
}

/// Can rows with this baseline be held against this one of them instead?
bool can_stand_for(const ProfileReport& report, std::size_t row, std::size_t baseline) {
  const ProfileEntry& entry = report.entries[row];
  if (entry.baseline != baseline || entry.verdict == SpeedVerdict::failed) return false;
  return row == baseline || has_interval(entry.ratio);
}

struct CommonRow {
  std::size_t kept = 0, now = 0;
};

std::optional<CommonRow> common_row(const ProfileReport& kept, std::size_t of_kept, const ProfileReport& now,
                                    std::size_t of_now) {
  std::vector<std::string> names{now.entries[of_now].name, kept.entries[of_kept].name};
  for (const ProfileEntry& entry : now.entries) names.push_back(entry.name);
  for (const std::string& name : names) {
    const auto there = index_of(kept, name), here = index_of(now, name);
    if (there && here && can_stand_for(kept, *there, of_kept) && can_stand_for(now, *here, of_now))
      return CommonRow{*there, *here};
  }
  return std::nullopt;
}

/// Both were in every block of theirs, one beside the other, and the interval is not one for many looks.
bool shared_blocks(const ProfileReport& report, const ProfileEntry& row, const ProfileEntry& base) {
  const std::size_t blocks = report.entries[row.baseline].block_ratios.size();
  return report.protocol == "blocks" && report.looks <= 1 && blocks > 0 && row.block_ratios.size() == blocks &&
         base.block_ratios.size() == blocks;
}

RatioRecord ratio_to(const ProfileReport& report, std::size_t of_row, std::size_t of_base) {
  const ProfileEntry &row = report.entries[of_row], &base = report.entries[of_base];
  if (row.baseline == of_base || (of_row != row.baseline && !has_interval(row.ratio))) return row.ratio;
  if (shared_blocks(report, row, base)) {
    std::vector<double> blocks;
    for (std::size_t i = 0; i < row.block_ratios.size(); ++i)
      blocks.push_back(row.block_ratios[i] / base.block_ratios[i]);
    return ratio_of(blocks, 0.95);
  }
  return {row.ratio.value / base.ratio.value, row.ratio.low / base.ratio.high, row.ratio.high / base.ratio.low};
}

PairedRow paired(const ProfileReport& kept, std::size_t there, const ProfileReport& now, std::size_t here) {
  const ProfileEntry &before = kept.entries[there], &after = now.entries[here];
  const std::string &old_name = kept.entries[before.baseline].name, &name = now.entries[after.baseline].name;
  PairedRow pair{.kept = there, .now = here, .has_one_baseline = old_name == name};
  const bool runs = before.verdict != SpeedVerdict::failed && after.verdict != SpeedVerdict::failed;
  if (pair.has_one_baseline) {
    pair.against = name;
    pair.has_time = runs && before.verdict != SpeedVerdict::baseline && after.verdict != SpeedVerdict::baseline;
    pair.before = before.ratio;
    pair.after = after.ratio;
    return pair;
  }
  const auto common = common_row(kept, before.baseline, now, after.baseline);
  if (!common) return pair;
  pair.against = now.entries[common->now].name;
  pair.has_time = runs && here != common->now;
  pair.before = ratio_to(kept, there, common->kept);
  pair.after = ratio_to(now, here, common->now);
  return pair;
}

}  // namespace

std::vector<PairedRow> paired_rows(const ProfileReport& kept, const ProfileReport& now) {
  std::vector<PairedRow> pairs;
  for (std::size_t here = 0; here < now.entries.size(); ++here)
    if (const auto there = index_of(kept, now.entries[here].name)) pairs.push_back(paired(kept, *there, now, here));
  return pairs;
}

}  // namespace culprit
