#pragma once
// A target that does not load, or that stops in the middle: which layer it is, by halves. Pure.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conversion/map/coverage.h"
#include "record/diagnosis.h"

namespace culprit {

/// Do the first `count` layers of the target load and run by themselves? `why`: the runtime's words where not.
struct PrefixOutcome {
  bool runs = false;
  bool loads = false;
  std::string why;
};
using TryPrefix = std::function<Result<PrefixOutcome>(std::size_t count)>;

struct FirstBadLayer {
  int layer = -1;
  bool loads = false;  ///< it loads and does not run
  std::string why;
};

/// The first layer that does not run though all before it do; nullopt: all do. Errors: of `attempt`.
Result<std::optional<FirstBadLayer>> first_bad_layer(std::size_t layers, const TryPrefix& attempt);

/// The fault, told by types and never by the runtime's words: an operator that the format does not know, negative pads,
/// a node named like a function of the library.
ConversionFault unloadable_fault(const Network& target, const FirstBadLayer& bad);

}  // namespace culprit
