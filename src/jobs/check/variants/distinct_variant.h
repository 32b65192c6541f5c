#pragma once
// Of variants that mean the same, the one that is run.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trial/judged_variant.h"
#include "trial/variant_run.h"

namespace culprit {

/// A distinct variant that can run. VariantRuns owns it; its result is shared with the variants that mean the same.
struct DistinctVariant {
  RunnablePtr made;
  RunnablePtr saved;  ///< of a session: the file that the runtime wrote of it; null where there is none
  std::string name;   ///< of the recipe that was the first to make it
  std::shared_ptr<VariantResult> result = std::make_shared<VariantResult>();
  bool is_judged = false;
  bool is_for_search = false;  ///< of a search, which looks at all samples at the deploy level
  std::filesystem::path outputs_folder;
  std::vector<std::filesystem::path> outputs;  ///< kept while they may have to be compared with the round trip's
};

}  // namespace culprit
