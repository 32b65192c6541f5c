#pragma once
// Rows of two profiles by their names, with their times held against one row that both have. A ratio to 'all' says
// nothing about one to 'off'.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/profile.h"

namespace culprit {

/// A row that both profiles have.
struct PairedRow {
  std::size_t kept = 0, now = 0;  ///< index in each
  bool has_one_baseline = true;   ///< both profiles hold it against a row of the same name
  /// What both ratios are to: the baseline where both have the same one, else a row that both measured, of which the
  /// baseline of `now` comes first and that of `kept` second. Absent: there is none.
  std::optional<std::string> against = {};
  bool has_time = false;  ///< it fails in neither, and is not itself what it is held against
  RatioRecord before = {}, after = {};
};

/// In the order of `now`. Where a ratio is made of two, each block that held both rows gives one; of rows that were in
/// different blocks it comes of the ends of both intervals, and so is as wide as both together. Names in `kept` are
/// unlike each other, and its baselines are among its entries (check_kept.h).
std::vector<PairedRow> paired_rows(const ProfileReport& kept, const ProfileReport& now);

}  // namespace culprit
