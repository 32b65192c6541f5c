#pragma once
// Reports of profiles by hand, for the gate.

#include <string>
#include <utility>
#include <vector>

#include "record/profile.h"

namespace culprit {

inline ProfileEntry row(const std::string& name, const RatioRecord& ratio) {
  ProfileEntry entry;
  entry.name = name;
  entry.runtime = "1.31.1";
  entry.ratio = ratio;
  entry.verdict = SpeedVerdict::same;
  entry.memory = MemoryRecord{10, 20, 1000, std::nullopt, std::nullopt};
  return entry;
}

inline ProfileReport with(std::vector<ProfileEntry> entries) {
  ProfileReport report;
  report.entries = std::move(entries);
  return report;
}

/// All against the entry of this index, by these ratios in each block; `ratio` is made of them as simply as can be.
inline ProfileReport measured_against(std::size_t baseline,
                                      const std::vector<std::pair<std::string, std::vector<double>>>& rows) {
  ProfileReport report;
  report.protocol = "blocks";
  report.looks = 1;
  report.baseline = baseline;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [name, blocks] = rows[i];
    double low = blocks.front(), high = blocks.front();
    for (const double ratio : blocks) {
      low = ratio < low ? ratio : low;
      high = ratio > high ? ratio : high;
    }
    ProfileEntry entry = row(name, {(low + high) / 2, low, high});
    entry.baseline = baseline;
    entry.block_ratios = blocks;
    if (i == baseline) entry.verdict = SpeedVerdict::baseline;
    report.entries.push_back(std::move(entry));
  }
  return report;
}

}  // namespace culprit
