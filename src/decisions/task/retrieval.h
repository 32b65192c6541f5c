#pragma once
// Do vectors lie next to those of their kind? Each is asked for the others by their cosine, the nearest first.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace culprit {

/// What one vector finds. Recall at k: is one of its kind among the k nearest?
struct RetrievedKind {
  double recall_1 = 0, recall_5 = 0;
  /// How well all others are ordered by their cosine, those of its kind being right
  /// (sklearn.metrics.average_precision_score).
  double average_precision = 0;
};

/// One for each vector of whose kind there is another. Vectors with NaN find nothing, and are found last.
std::vector<RetrievedKind> retrieve_kinds(std::span<const std::vector<float>> vectors,
                                          std::span<const std::string> kinds);

}  // namespace culprit
