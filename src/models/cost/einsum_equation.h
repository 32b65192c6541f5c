#pragma once
// The equations of Einsum (ONNX Operators.md).

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cost/value_shape.h"

namespace culprit {

struct EinsumEquation {
  std::vector<std::string> terms;     ///< one for each input
  std::optional<std::string> result;  ///< nothing: what the letters that stand once make
};

/// Without spaces; nothing where it is longer than any that is meant.
std::optional<EinsumEquation> parse_einsum(std::string text);

/// Letters, and the axes that "..." stands for as signs below zero, so that the last ones agree. Nothing where a term
/// does not fit the rank, or is none.
std::optional<std::string> einsum_labels(const std::string& term, int rank);

/// What an equation says of inputs of these sizes.
struct EinsumSizes {
  std::map<char, double> letters;    ///< by label (einsum_labels); NaN where it is not known
  std::vector<std::int64_t> result;  ///< of the output; -1 where one is not known
};
/// Nothing where the equation does not fit the inputs, or a rank is not known.
std::optional<EinsumSizes> einsum_sizes(const std::string& equation, const std::vector<ValueShape>& inputs);

}  // namespace culprit
