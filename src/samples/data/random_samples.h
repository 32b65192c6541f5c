#pragma once
// Proposals whose samples are drawn: which sizes and values, in which order, and other draws of the same.

#include <vector>

#include "data/dim_names.h"
#include "data/sample.h"

namespace culprit {

/// What the command line fixed: values of inputs, and sizes that were given or follow from those values.
struct Given {
  std::vector<NamedTensor> inputs;
  Sizes dims;
};

/// Puts what was given in the place of what the sample holds by that name, or behind it.
void put_given(Sample& sample, const std::vector<NamedTensor>& inputs);

/// The likeliest first, at most 12 with different beginnings; behind each those that begin like it and ask for less:
/// other sizes of every second sample, and at last none, with plain values. Guessed sizes over 16 million elements a
/// sample are left out. ErrorKind::unsupported where nothing can be made up.
Result<std::vector<Proposal>> drawn_proposals(const Model& model, const DataOptions& options, const Given& given);

}  // namespace culprit
