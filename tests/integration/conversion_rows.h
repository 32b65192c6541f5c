#pragma once
// The corpus of conversions: eight small networks, what converters make of them, and what converters get wrong, with
// the truth of each.

#include <string>
#include <vector>

#include "support/conversion_faults.h"
#include "support/diagnosed.h"

namespace culprit::testing {

struct ConversionRow {
  std::string name;
  std::string net;                          ///< of corpus_net
  std::vector<Fault> ways = {};             ///< rewritings of the target, in this order
  Fault mistake = {};                       ///< in the target, before they are made; none: an honest conversion
  std::vector<ConversionTruth> truth = {};  ///< empty: the two are the same
  Fault before = {};                        ///< what is done to both: weights that another type has exactly
  /// Why it is not told as it is in truth; "" where it is. A row with a reason must not be right: then the reason goes.
  std::string missed_because = "";
  std::vector<Fault> honest_ways = {};  ///< where the mistake lies in `ways`: these without it
};

onnx::ModelProto source_of(const ConversionRow& row);
/// What was made of the source.
onnx::ModelProto target_of(const ConversionRow& row);
/// The conversion without the mistake; of an honest row it is the target.
onnx::ModelProto honest_target_of(const ConversionRow& row);

onnx::ModelProto corpus_net(const std::string& name);
const std::vector<std::string>& corpus_nets();

/// Honest conversions, single mistakes, two at once. Names are unlike each other.
const std::vector<ConversionRow>& conversion_rows();

}  // namespace culprit::testing
