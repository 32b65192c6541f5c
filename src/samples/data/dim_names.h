#pragma once
// Names of open dimensions that say how they follow from others, as exporters write them:
// "past_sequence_length + sequence_length" (optimum), "2*s0", "s1//2" (torch.export), "floor(width/8)".

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

using Sizes = std::map<std::string, std::int64_t>;

/// The plain names in a dimension's name, each once: {"past", "seq"} of "past + seq"; of a plain name itself. What is
/// no formula is a plain name: "batch-size", "p2o.DynamicDimension.0".
std::vector<std::string> names_in(const std::string& dimension);
/// Is it a formula of other names?
bool is_formula(const std::string& dimension);
/// Its value; nothing if a name has no size, the result is negative, or something is divided by zero. + - * / (to
/// below, as //), floor, ceil, min, max.
std::optional<std::int64_t> evaluate(const std::string& dimension, const Sizes& sizes);
/// The smallest size, up to 100,000, of the only name without one that makes the formula equal to `value`.
std::optional<std::pair<std::string, std::int64_t>> solve(const std::string& dimension, std::int64_t value,
                                                          const Sizes& sizes);

}  // namespace culprit
