#pragma once
// A target that does not load, or that stops in the middle: which layer it is, by halves. Pure.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conversion/faults/mendable_faults.h"
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
  std::string why;     ///< the runtime's words, or that it does not know an operator
};

/// The first layer that does not run though all before it do; nullopt: all do. Errors: of `attempt`.
Result<std::optional<FirstBadLayer>> first_bad_layer(std::size_t layers, const TryPrefix& attempt);

/// Outputs that were never computed are told as not compared.
void note_not_compared(Diagnosis& found);

/// Tells of a target that does not run as a whole, when all else was looked for. Where no confirmed fault
/// lies at the layer or before it, the fault is that the target stops there, and what is returned says so, else "".
/// Regions that never ran are no faults, and outputs that were never computed are told as not compared. `bad.layer`: -1
/// where each layer runs by itself.
std::string tell_where_it_stops(Diagnosis& found, std::vector<MendableFault>& faults, const Network& target,
                                const FirstBadLayer& bad);

/// The fault, told by types and never by the runtime's words: an operator that the format does not know, negative pads,
/// a node named like a function of the library.
ConversionFault unloadable_fault(const Network& target, const FirstBadLayer& bad);

}  // namespace culprit
