#pragma once
// Sequences, maps and optionals as inputs: made up, and checked against what is declared.

#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "data/synthesize.h"
#include "tensor/structured_value.h"

namespace culprit {

/// A sequence, a map or an optional?
bool is_structured(const ValueInfo& declared);
bool has_structured_inputs(const Interface& interface);
/// The kinds from the outside in, the tensor included: {sequence, map} is {sequence, map}, {sequence} is {sequence,
/// tensor}. Sparse tensors, and what ONNX Runtime knows no input of, are ErrorKind::unsupported and named.
Result<std::vector<Value::Kind>> form_of(const ValueInfo& declared);

/// Makes a tensor up as declared.
using DrawTensor = std::function<Result<Tensor>(const ValueInfo& declared, Random& random)>;

/// Makes such a value up. The plan's `way` tells how bold: in way 0 the samples hold sequences of 2, 3 and 0 elements
/// and every third optional is absent; then nothing is empty or absent; then all sequences are equally long. Elements
/// of unknown rank get a likely shape, another one in each way. Maps have the keys of `plan.map_keys`, all of them in
/// the first sample and some in later ones, else 0, 1, 2 or "a", "b", "c".
Result<std::vector<NamedTensor>> draw_structured(const ValueInfo& declared, const SynthesisPlan& plan,
                                                 std::int64_t index, Random& random, const DrawTensor& draw);

/// Each plan in every way, one after the other, where inputs need it; at most `limit`.
std::vector<LikelyPlan> in_all_ways(const std::vector<LikelyPlan>& plans, const Interface& interface,
                                    std::size_t limit);

/// Is it of the declared kinds, types and sizes? The error says what was found and what the model wants; `where` comes
/// first in it.
Result<void> expect_structure(const ValueInfo& declared, const Value& value, const std::string& where);

}  // namespace culprit
