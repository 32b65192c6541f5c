#pragma once
// What ONNX Runtime's optimizations are called. The runtime lists them nowhere: transformers are told by its log, but
// rewrite rules by nothing, so their names stand here, of all versions from 1.20 on, each with a model that it changes.

#include <span>
#include <string>

#include "runtime/level.h"

namespace culprit {

/// A rule runs inside of a transformer, its container: that must stay enabled for the rule to run.
struct RuleName {
  const char* name;       ///< as registered, and as optimization.disable_specified_optimizers takes it
  const char* container;  ///< "Level1_RuleBasedTransformer"
  Level level;
  const char* probe;  ///< ONNX text of a model that the rule changes; "": none is known
};

/// Each rule once; one that two containers have stands with the first.
std::span<const RuleName> known_rules();

/// The transformers that contain rules.
std::span<const char* const> rule_containers();

}  // namespace culprit
