#pragma once
// What a check is asked to do. Whoever makes a part of it again, for a smaller model say, asks for the same.

#include <cstddef>

#include "trial/options.h"

namespace culprit {

struct CheckOptions : PlanOptions {
  bool localize = true;           ///< look for the single rewrites behind a fault
  std::size_t most_trials = 300;  ///< recipes that the search for the passes that fail together may ask for
  bool trusts_runtime =
      false;             ///< --trust-runtime: that others differ from it on the model itself is no reason to stop
  bool directed = true;  ///< made-up samples may be directed at the places where passes would fire
};

}  // namespace culprit
