#pragma once
// The labels that a row of scores stands for, one score for each class, and how two such rows differ.

#include <cstdint>
#include <span>
#include <vector>

namespace culprit {

/// Are these probabilities: none below 0, with a sum within 1 % of 1 (16-bit floats round)? Else they are logits.
bool are_probabilities(std::span<const double> scores);
/// May each of these be a probability by itself? Values below 0 or above 1 are logits, but for a rounding of 1e-3. A
/// NaN says nothing.
bool may_be_probabilities(std::span<const double> values);
/// exp(x - max) over its sum, as scipy.special.softmax; one NaN or infinity makes all NaN.
std::vector<double> softmax(std::span<const double> scores);

struct LabelAgreement {
  bool is_same_label = false;  ///< or neither has one
  /// The share of the reference's best five (ten) that are among the variant's: R. Fagin, R. Kumar, D. Sivakumar,
  /// "Comparing top k lists", SIAM J. Discrete Math. 17, 2003 (there 1 less it).
  double top5 = 0, top10 = 0;
  double tau5 = 0, overlap = 0;  ///< tau-b over the union of the best five; rank-biased overlap of the best ten
  std::int64_t reference = 0, variant = 0;  ///< the labels; -1: none
  /// By how much the reference's scores must move for the variant's label; 0: the same label, or it had none;
  /// lost_decision: the variant has none.
  double margin = 0;
};

/// The best class; -1 where there is no clear one (task/best_score.h).
std::int64_t label_of(std::span<const double> scores);

/// Both rows have the same classes, at least one.
LabelAgreement compare_labels(std::span<const double> reference, std::span<const double> variant);

/// Is this class among the best `k`? Not where there is no such class, or no label at all.
bool is_in_top(std::span<const double> scores, std::int64_t label, std::size_t k);

}  // namespace culprit
