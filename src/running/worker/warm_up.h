#pragma once
// The first session of a process pays for all: the runtime registers its operators, reads its own code from the disk
// and starts its allocators, 2.5 ms on a CPU and much more on a GPU. That is no part of what a model costs, so that
// before the first one that is measured a model of our own is loaded, and thrown away.

#include <set>
#include <string>

#include "runtime/runner.h"

namespace culprit {

class WarmUp {
 public:
  /// Before the session is timed. Once for each provider. A runtime that does not load our model is no error: then
  /// whatever is loaded first pays.
  void before(Runner& runner, const SessionOptions& session);

 private:
  std::set<std::string> warm_;  ///< providers
};

}  // namespace culprit
