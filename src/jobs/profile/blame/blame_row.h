#pragma once
// Why is this row of a profile slower (or faster) than the baseline? Its optimizer makes the model with some of its
// steps only, and each such model is measured beside the baseline until its verdict is sure.

#include "base/stop.h"
#include "optimizer/traits.h"
#include "profile/blame/blame_steps.h"
#include "profile/made_rows.h"

namespace culprit {

struct BlamedRow {
  const std::vector<GivenModel>& models;
  const ProfiledRow& row;
  const MeasuredModel& baseline;
  const OptimizerTraits& optimizer;  ///< whose steps made the row: the runtime's where it has no recipe
  SpeedVerdict asked = SpeedVerdict::slower;
  bool is_other_model = false;     ///< than the baseline's
  double seconds_a_question = 20;  ///< of measuring, at most, but never fewer than 14 blocks
  double seconds_a_block = 0;      ///< of two rows, about; 0: nobody can tell
  Stop is_time_up = {};            ///< then the question that is asked ends, and the search
};

/// Errors: interrupted, io, and those of `ProfileTools::executor`.
Result<BlameRecord> blame_row(const BlamedRow& row, const ProfileOptions& options, const ProfileTools& tools);

}  // namespace culprit
