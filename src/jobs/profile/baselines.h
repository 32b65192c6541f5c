#pragma once
// Which row is each row held against? A ratio says something where both rows do the same work.

#include <cstddef>
#include <optional>
#include <vector>

#include "profile/made_rows.h"

namespace culprit {

/// Index of a row for each row. `named`: that one for all. Else where several models have several rows each, the first
/// row of its model that loads (where none does, its first); else the first of all.
std::vector<std::size_t> baselines_of(const std::vector<ProfiledRow>& rows, const std::vector<MadeRow>& made,
                                      std::optional<std::size_t> named);

/// Rows that have one baseline, which comes first of them; in the order of the baselines.
std::vector<std::vector<std::size_t>> with_one_baseline(const std::vector<std::size_t>& baselines);

/// The numbers of `rows` that can be loaded, in the same order.
std::vector<std::size_t> rows_that_load(const std::vector<std::size_t>& rows, const std::vector<MadeRow>& made);

}  // namespace culprit
