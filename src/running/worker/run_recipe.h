#pragma once
// One recipe, in its fork: the variant and what is to be known of it.

#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "process/channel.h"

namespace culprit {

/// What all forks of a job share.
struct RecipeContext {
  const OptimizeJob& job;
  const onnx::ModelProto& model;  ///< as given, external data inside or placed
  Weights& weights;               ///< that the session uses: after a recipe, of its variant
  bool loses_types = false;       ///< the optimizer does (Optimizer::loses_types)
  bool is_sorted = true;          ///< the model's nodes are, as given
};

/// Applies the recipe, looks at the variant, writes it unless it is there, and sends one wire::Variant. Before each
/// step that may die it says what it does. Exceptions become a failed outcome.
void make_variant(OptimizerSession& session, const RecipeContext& context, std::size_t recipe, Channel& channel);

}  // namespace culprit
