#pragma once
// What is known of one distinct variant, or of one that could not be made.

#include <memory>
#include <string>

#include "trial/judgement.h"

namespace culprit {

/// Shared by all recipes that made the same model.
struct VariantResult {
  Judgement judgement;
  std::size_t samples = 0;  ///< that ran; of a result at the deploy level
  int confirmed = 0;        ///< fresh processes that showed the verdict again
  int asked = 0;
  bool remade_differently = false;          ///< a fresh optimizer made another variant, or none
  bool as_round_trip = false;               ///< its outputs are those of the round trip where they are wrong
  std::string output_bits = {};             ///< a hash of its outputs, where orders are tried; else ""
  Measurements inner;                       ///< of values inside the graph, where they were compared
  std::shared_ptr<VariantResult> deployed;  ///< the same at the deploy level; null where it was not run there
  std::shared_ptr<VariantResult> saved;     ///< of a session: its saved file, at the reference's level; null: not run
};

/// The judgement's, or `inconclusive` where a failure was asked for again and did not come.
inline Verdict verdict_of(const VariantResult& result) {
  const bool vanished = result.asked > 0 && result.confirmed == 0;
  return vanished ? Verdict::inconclusive : result.judgement.verdict;
}

}  // namespace culprit
