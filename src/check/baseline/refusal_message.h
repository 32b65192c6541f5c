#pragma once
// What is said of a model that runs on nothing that it was fed, and which flag helps.

#include <span>
#include <string>

#include "data/sample.h"
#include "executor/executor.h"

namespace culprit {

struct Refusal {
  const Failure& failure;
  const Limits& limits;
  const Interface& interface;
};

/// "the model does not load: ...", with --custom-ops where an operator is missing.
std::string load_message(const Refusal& refusal);
/// Which input it is about where the runtime names one, the runtime's reason, what was tried, and the flags that say
/// what the model takes.
std::string run_message(const Refusal& refusal, std::span<const Proposal* const> tried);

}  // namespace culprit
