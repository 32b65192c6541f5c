#pragma once
// Every decision of an evaluation, a line a sample: as .csv for people, as .jsonl with all scores and boxes.

#include <cstddef>
#include <string>

#include "record/told_decision.h"

namespace culprit {

enum class DecisionsFormat { csv, jsonl };

/// The first line of the file; "" where there is none.
std::string decisions_head(DecisionsFormat format, std::size_t models);
/// The line of a sample, with the newline behind it.
std::string decisions_line(DecisionsFormat format, const ToldSample& sample);

}  // namespace culprit
