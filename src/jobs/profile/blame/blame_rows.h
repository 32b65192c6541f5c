#pragma once
// Which rows of a profile are asked about, and in which time.

#include <functional>
#include <optional>
#include <vector>

#include "base/error.h"
#include "profile/made_rows.h"
#include "profile/profile.h"

namespace culprit {

/// Indexes of the rows that are slower; where there are none, of the one that is fastest beyond doubt.
std::vector<std::size_t> rows_to_blame(const ProfileReport& report);

/// `nothing_to_blame`: no row is slower or faster, with what is known of them; nothing where one is.
std::optional<Warning> nothing_to_blame(const ProfileReport& report);

struct BlameTime {
  std::function<double(std::size_t rows)> seconds_of_row;  ///< where so many rows, with this one, are still to come
  double seconds_a_block = 0;                              ///< of two rows, about; 0: nobody can tell
};

/// Adds to `blames` of the report and to its warnings. A row that has no steps is a warning of it. `made` and
/// `entries` are by row. Errors: interrupted, io, those of `ProfileTools::optimizer` and `executor`.
Result<void> blame_rows(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                        const std::vector<MadeRow>& made, const ProfileOptions& options, const ProfileTools& tools,
                        const BlameTime& time, ProfileReport& report);

}  // namespace culprit
