#pragma once
// A case to begin with: the model on samples on which it runs, and on which a fault may show.

#include <filesystem>
#include <string>
#include <vector>

#include "check/check.h"
#include "reduce/case_trial.h"

namespace culprit {

struct StartingCase {
  Case a_case;
  SessionOptions session;             ///< of the level at which it runs: off, or basic where it does not load otherwise
  std::string data;                   ///< where the samples come from: "synthesized", a path
  std::vector<std::string> warnings;  ///< for people: its outputs say nothing of its values
  bool is_weak = false;               ///< they do not
};

/// Samples as `culprit check` takes them: the first proposal that runs, drawn again where no output says anything, and
/// some of them directed at the places where the recipe's passes would fire. ErrorKind::bad_input where the model does
/// not load or run.
Result<StartingCase> find_samples(const Model& model, const std::vector<Proposal>& proposals,
                                  const std::vector<std::string>& passes, const CheckOptions& options,
                                  const CheckTools& tools);

}  // namespace culprit
