#pragma once
// Cases with their keys: what each asks, told by the contents of its files and the versions of its programs.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "campaign/case_order.h"
#include "store/case_types.h"

namespace culprit {

/// The programs of a case.
struct CaseFrame {
  std::string optimizer, optimizer_version;  ///< "" where the job has none
  std::string runtime;                       ///< its version
  std::optional<Error> unfit = {};           ///< the optimizer has none of the recipe's steps
};

/// Asks for them, and finds out whether the words of the case make sense. ErrorKind::usage, not_found ... where a name
/// means nothing.
using FrameOf = std::function<Result<CaseFrame>(const CaseOrder& order)>;

/// The file of a model of a hub, which is brought here.
using BringModel = std::function<Result<std::filesystem::path>(const std::string& word)>;

struct CampaignPlan {
  std::vector<PlannedCase> cases;
  std::size_t same = 0;                       ///< orders that ask the same as one before
  std::vector<std::string> not_brought = {};  ///< "hub:ResNet50@12: why": models of hubs that cannot be had
  std::vector<std::string> left_out = {};     ///< "nop,fuse_bn_into_conv with onnxruntime": recipes and optimizers
};

/// Paths start from the current folder. `frame_of` is asked once for all models of one combination, and once more where
/// it fails for another reason than what was asked, such as a process that was killed. A recipe is left out for
/// optimizers that it is unfit for; if it fits none, that is the error. Errors: those of `frame_of`, with the case that
/// had them; io; interrupted.
Result<CampaignPlan> plan_campaign(const std::vector<CaseOrder>& orders, const FrameOf& frame_of,
                                   const Stop& is_interrupted = {}, const BringModel& bring = {});

/// Seconds, roughly: it only says which case is longer than another, and how far a campaign is.
double expected_seconds(CampaignJob job, std::uint64_t model_bytes);

}  // namespace culprit
