#pragma once
// Where two models part first: the first value whose error is more than its inputs' errors explain.

#include <optional>
#include <string>
#include <vector>

#include "compare/compared_graphs.h"
#include "compare/inner_values.h"
#include "record/measurement.h"

namespace culprit {

/// In the order of A's graph, the first value that B's nodes make wrong even from A's values. Before all others those
/// from which differing values lead to an output that differs, for what a later node hides broke nothing; of these, or
/// of all where there are none, the ones beyond the tolerance, else those beyond the noise floor. Nothing where there
/// is none.
std::optional<FirstDivergence> first_divergence(const ComparedGraphs& graphs, const InnerValues& inner);

/// "BatchNormalization 'bn1' after Conv 'conv1'": the maker first; nodes without a name by their output.
std::string text_of(const std::vector<NodeRef>& nodes);
/// "it is off by 0.31, rounding explains 2e-06", or what differs where no number tells. `m`: of that value.
std::string how_far(const FirstDivergence& first, const Measurement& m);

/// Every counted value of A, in the order of its graph.
std::vector<ComparedValue> compared_values(const ComparedGraphs& graphs, const std::vector<InnerValue>& values);

}  // namespace culprit
