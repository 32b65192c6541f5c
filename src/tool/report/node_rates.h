#pragma once
// What a node does in a second, from what it costs and how long it takes. Absent where one of the two is not known.
// Seen in this room only.

#include <optional>

#include "record/profile.h"

namespace culprit {

std::optional<double> flops_per_second(const NodeTimeRecord& node);
/// The rate at which it moves what it reads and writes, each once.
std::optional<double> bytes_per_second(const NodeTimeRecord& node);
/// Arithmetic intensity. Absent where it moves nothing.
std::optional<double> flops_per_byte(const NodeTimeRecord& node);

}  // namespace culprit
