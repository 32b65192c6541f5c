#pragma once
// What a study keeps of a variant; shared by the files that implement Study, and by nobody else.

#include <filesystem>
#include <memory>
#include <vector>

#include "check/folders.h"
#include "check/study.h"

namespace culprit {

/// A distinct variant that can run.
struct Study::Content {
  std::filesystem::path file;
  std::string name;  ///< of the recipe that was the first to make it
  Binding binding;
  Contract contract = Contract::equivalent;
  Interface interface;
  std::shared_ptr<Finding> finding = std::make_shared<Finding>();
  bool is_judged = false;
  bool is_trial = false;  // of a search, which looks at all samples at the deploy level
  std::filesystem::path outputs_folder;
  std::vector<std::filesystem::path> outputs;  // kept while they may have to be compared with the round trip's
};

}  // namespace culprit
