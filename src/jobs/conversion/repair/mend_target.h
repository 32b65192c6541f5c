#pragma once
// A target that is wrong, mended: what was confirmed is changed in a file, and the file is diagnosed like any other, in
// rounds. Pure but for its folders: all runs are asked of the Executor.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conversion/diagnose.h"
#include "record/target_repair.h"

namespace culprit {

/// A file that was written, as a side of its own: nothing of the one that it was made of is known of it.
using OpenSide = std::function<Result<std::unique_ptr<Side>>(const std::filesystem::path& file)>;

struct MendedFile {
  Diagnosis before;
  std::vector<RepairRound> rounds;
  std::optional<Diagnosis> after;  ///< of the last file; nullopt where none was made
  std::filesystem::path file;      ///< it is right; "": none is
  bool is_clean = false;           ///< the target was right as it came
  std::string why_not;             ///< "" where it is clean or there is a file
};

/// What mends the confirmed faults, in the order in which it is to be made: weights that were rounded as a whole first,
/// for what was found behind them was found with the right ones.
std::vector<Edit> edits_to_make(const std::vector<MendableFault>& faults);

/// Why the repaired target is worse than it was: an output is wrong on a sample on which it was right, or the largest
/// difference of an output grew by more than two times what rounding explains. "": it is not. Both diagnoses are of the
/// same samples.
std::string why_worse(const Diagnosis& before, const Diagnosis& after);

/// Each round makes the edits of all confirmed faults at once, writes the file, opens it anew, and diagnoses it on all
/// samples; faults that were hidden behind others are mended in the next. Ends where the target is the same as the
/// source and no fault is left, where nothing is confirmed, or where a round left as many faults and as large an error;
/// after `most_rounds` at the latest. Errors: those of `diagnose`; io.
Result<MendedFile> mend_target(const Side& source, const Side& target, const CompareSamples& samples,
                               const DiagnoseOptions& options, const CompareTools& tools, const OpenSide& open,
                               int most_rounds = 4);

}  // namespace culprit
