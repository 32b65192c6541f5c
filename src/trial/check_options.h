#pragma once
// What a check is asked to do. Whoever makes a part of it again, for a smaller model say, asks for the same.

#include <string>
#include <vector>

#include "trial/options.h"

namespace culprit {

struct CheckOptions : TrialOptions {
  std::vector<std::string> recipe;  ///< --passes: one ordered recipe, instead of the default plan
  std::vector<std::string> each;    ///< --each: these alone, instead of the default plan
  bool all_passes = false;          ///< also those outside the bundle, alone
  bool only_bundle = false;         ///< what users run, and nothing else, instead of the default plan
  Repeat repeat = Repeat::once;
  bool localize = true;           ///< look for the single rewrites behind a fault
  std::size_t most_trials = 300;  ///< recipes that the search for the passes that fail together may ask for
  bool trusts_runtime =
      false;             ///< --trust-runtime: that others differ from it on the model itself is no reason to stop
  bool directed = true;  ///< made-up samples may be directed at the places where passes would fire
};

}  // namespace culprit
