#pragma once
// Warns where two models seem to agree, and yet that says nothing; and where labels do not fit what models decide.

#include <string>
#include <vector>

#include "record/decisions.h"
#include "record/warning.h"

namespace culprit {

/// `undecided`: samples on which both give NaN; `no_boxes`: neither finds a box on any sample; `zero_vectors`: samples
/// of which both embeddings are all zero. The names are those of
/// the models in messages: "M1", "A".
std::vector<Warning> decision_warnings(const DecisionRecord& record, const std::string& reference,
                                       const std::string& variant);

/// `undecided`: samples on which a model by itself gives NaN where its decision should be; `zero_vectors`: a vector of
/// zeros.
std::vector<Warning> own_warnings(const DecisionRecord& record, const std::string& model);

/// `labels_outside`: labels that are no class of the outputs, and boxes of labels whose class is none.
std::vector<Warning> label_warnings(const DecisionRecord& record);

}  // namespace culprit
