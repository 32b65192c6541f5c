#pragma once
// Is a target right, and only fed otherwise than its source? Looked at before a layer is blamed.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "conversion/coarse/judge_coarse.h"
#include "conversion/runs/judged_outputs.h"
#include "record/diagnosis.h"

namespace culprit {

/// What is known when it is asked.
struct FeedingTask {
  const BothSides& sides;
  const std::vector<ValueMatch>& inputs;    ///< as they are bound
  const std::vector<ValueMatch>& outputs;   ///< likewise
  const OutputsBySample& as_source;         ///< what the target gives of the source's samples; empty: it does not run
  const std::vector<ValueMatch>& wrong;     ///< outputs that are wrong then
  const CoarseVerdict* coarse;              ///< of a target in fewer bits, fed so; else null
  std::vector<std::filesystem::path> data;  ///< --target-data: packs by the target's names, one a sample; may be empty
  std::filesystem::path folder;             ///< for samples; it must exist
  bool is_strict = false;                   ///< as of judge_all_outputs
};

/// Are all outputs right where the target is fed as the source is, or as good as few bits can be?
bool is_right_as_source(const FeedingTask& task);

struct FeedingVerdict {
  FeedingRecord record;
  /// It is right if it is fed so, and wrong as it is fed. Confirmed: it ran both ways, on all samples.
  std::optional<ConversionFault> fault = {};
  std::optional<JudgedOutputs> as_fed = {};  ///< with data of its own that it runs on
  std::string data_refused = {};             ///< why it does not run on its own data; ""
};

/// With data of its own these are run first. Is it wrong both on these and as the source is fed, or wrong and has none,
/// all ways (feeding_ways.h) are tried on the sample that is the furthest off, in one run. Those that come near are
/// judged on all samples, the nearest first. Of a target in fewer bits that is right which is within the honest
/// rounding. Errors: interrupted, io, bad_input.
Result<FeedingVerdict> look_at_feeding(const FeedingTask& task);

}  // namespace culprit
