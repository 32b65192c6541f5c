#pragma once
// What is kept of a distinct variant; shared by the files that implement Variants, and by nobody else.

#include <filesystem>
#include <memory>
#include <vector>

#include "base/folder.h"
#include "check/variants/variants.h"

namespace culprit {

/// A distinct variant that can run.
struct Variants::DistinctVariant {
  RunnablePtr made;
  RunnablePtr saved;  ///< of a session: the file that the runtime wrote of it; null where there is none
  std::string name;   ///< of the recipe that was the first to make it
  std::shared_ptr<VariantResult> result = std::make_shared<VariantResult>();
  bool is_judged = false;
  bool is_for_search = false;  // of a search, which looks at all samples at the deploy level
  std::filesystem::path outputs_folder;
  std::vector<std::filesystem::path> outputs;  // kept while they may have to be compared with the round trip's
};

}  // namespace culprit
