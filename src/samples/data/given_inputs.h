#pragma once
// What the command line says of inputs and sizes, held against the model and the data.

#include "base/error.h"
#include "data/random_samples.h"
#include "data/sample.h"

namespace culprit {

/// --input and --dim. Errors (usage): an input or a dimension that the model has not, one given twice, a value that
/// does not fit; --dim beside --data, which has sizes of its own, unless it tells the size of an --input.
Result<Given> read_given(const Interface& interface, const DataOptions& options);

/// Sizes of open dimensions, as the values show them; the first value of a dimension counts.
void add_seen_dims(const Interface& interface, const std::vector<NamedTensor>& values, Sizes& dims);

/// A warning where --samples asks for more than `found`.
void warn_of_few(Proposal& proposal, const DataOptions& options, std::int64_t found);

/// Do both hold the same values under the same names, in the same order?
bool are_identical(const std::vector<NamedTensor>& one, const std::vector<NamedTensor>& other);

}  // namespace culprit
