#pragma once
// What a pass over the full graph did wrong: it counts one visit, so halving visits cannot tell. Its change is cut into
// independent pieces (localize/graph_pieces.h), and models with some of them are put together and run as variants are.

#include "check/explain/explain_recipe.h"
#include "record/fault_record.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

class PieceLocalization {
 public:
  /// `failing`: the variant whose failure, `sought`, is looked for.
  PieceLocalization(ConfirmedVariants& variants, Dispatcher& dispatcher, const Reference& reference,
                    std::size_t failing, RecipeAnswer sought)
      : variants_(variants),
        dispatcher_(dispatcher),
        reference_(reference),
        failing_(failing),
        sought_(std::move(sought)) {}

  /// Writes the bad pieces between these two models into the record, or why they cannot be told.
  Result<void> explain(const onnx::ModelProto& before, const onnx::ModelProto& after, RewriteRecord& record);

 private:
  Result<RecipeAnswer> show(const onnx::ModelProto& model);
  [[nodiscard]] bool is_alike(const RecipeAnswer& shown) const;

  ConfirmedVariants& variants_;
  Dispatcher& dispatcher_;
  const Reference& reference_;
  std::size_t failing_;
  RecipeAnswer sought_;
  bool ran_out_of_time_ = false;
  std::size_t files_ = 0;
};

}  // namespace culprit
