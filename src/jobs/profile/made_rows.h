#pragma once
// Rows as files: what optimizers make of the given models, and what the runtime makes of that when it loads it.

#include "profile/profile.h"
#include "record/profile.h"

namespace culprit {

/// A row that can be measured.
struct MadeRow {
  MeasuredModel measured;                 ///< with all samples
  std::optional<double> optimizing = {};  ///< seconds, of an optimizer that wrote a file
  Failure failure = {};
  FailedAt failed_at = FailedAt::nowhere;
  std::filesystem::path as_run = {};  ///< the graph that the runtime runs, as it saved it; "" where it did not
  /// The folder of the external data that `as_run` names: the runtime leaves in their files what it does not change,
  /// and writes their names as they were. "": it has none, or they lie beside it.
  std::filesystem::path data_folder = {};
  std::string runtime_version = {};
  Hash128 fingerprint = {};            ///< of the file that an optimizer wrote
  std::vector<Warning> warnings = {};  ///< about that file: constants_became_inputs
};

/// Lets the optimizers write, and loads each once. Errors: interrupted, io.
Result<std::vector<MadeRow>> make_rows(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                                       const ProfileOptions& options, const ProfileTools& tools);

}  // namespace culprit
