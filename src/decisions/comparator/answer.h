#pragma once
// What a comparator's program says, read without belief in any of it (docs/comparators.md). Private to this room.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/error.h"
#include "task/task.h"

namespace culprit {

using NamedNumbers = std::map<std::string, double>;

/// What a program answered on one sample.
struct ComparatorAnswer {
  DecisionChange change;
  NamedNumbers metrics;        ///< the variant against the reference
  NamedNumbers against_truth;  ///< the variant against what is right
};

/// More names than this are refused, and a metric's name is at most so long.
inline constexpr std::size_t most_metrics = 12, longest_name = 40;

/// Reads one line: an object with `number` (that of the sample), `changed`, `reference`, `variant`, and perhaps
/// `margin`, `metrics`, `against_truth`; nothing else. ErrorKind::bad_input says what is wrong with it and shows its
/// beginning.
Result<ComparatorAnswer> parse_answer(const std::string& line, std::int64_t number);

/// The name in a line {"name": "..."}, which a program may print before all others; nothing where the line is another
/// one. ErrorKind::bad_input for a name that is none.
Result<std::optional<std::string>> parse_hello(const std::string& line);

}  // namespace culprit
