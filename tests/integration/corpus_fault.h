#pragma once
// What a corpus case says of its fault, held against what the tool says of it.

#include <nlohmann/json.hpp>

#include "support/corpus_case.h"

namespace culprit::testing {

/// The passes in their order, the verdict, whose fault it is, the very rewrites and pieces, each proven on both sides,
/// and that they are all; or the node whose predicate kills.
void expect_fault(const nlohmann::json& fault, const CorpusCase& expected);

}  // namespace culprit::testing
