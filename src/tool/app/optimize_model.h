#pragma once
// `optimize` as a library: the model is checked, made by the safe recipe, verified as it lies on the disk, and put into
// its place.

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "check/check.h"
#include "record/report.h"

namespace culprit {

struct OptimizeAnswer {
  Report report;
  RunFolder folder;  ///< whoever asked finishes it with the report
  bool keeps_earlier = false;
  Delivery delivery;
  bool is_copy = false;        ///< the safe recipe changes nothing: the model as given
  std::uint64_t bytes = 0;     ///< of the file that was made, and its data
  std::filesystem::path data;  ///< where its weights lie beside it; "": inside
  std::string why_not;         ///< why there is no file at `out`; "" where there is one
  /// All is right but for outputs that are the same on all samples: nobody verified them, and nobody accepted that.
  bool is_unseen = false;
};

/// Errors: usage (`out` cannot be it; an output to accept that is none), interrupted, io, internal.
Result<OptimizeAnswer> optimize_model(const OptimizeRequest& request, const Caller& caller);

/// "the bundle without fuse_pad_into_conv"
std::string recipe_text(const SafeRecipe& safe, const OptimizeRequest& request);

}  // namespace culprit
