#pragma once
// One variant of a check, and what all of them are made with.

#include <filesystem>
#include <memory>

#include "base/progress.h"
#include "executor/dispatcher.h"
#include "trial/check_options.h"
#include "trial/judged_variant.h"
#include "trial/plan.h"
#include "trial/reference.h"

namespace culprit {

/// One planned variant and what became of it. MadeVariants owns it and fills in what was made; VariantRuns says what it
/// is the same as, and what running it came to.
struct Variant {
  PlannedVariant plan;
  bool is_made = false;  ///< `outcome` has come
  VariantOutcome outcome;
  SameAs same_as = SameAs::none;  ///< the original or the round trip: then nothing was run, and `result` is null
  std::shared_ptr<VariantResult> result;
};

/// What the variants of one model are made and judged with. It outlives them.
struct VariantSetting {
  Dispatcher& dispatcher;
  const Model& model;
  const CheckOptions& options;
  const OptimizerTraits& optimizer;
  std::filesystem::path folder;  ///< variants lie in `folder`/variants, outputs in `folder`/outputs
  Progress progress;
};

}  // namespace culprit
