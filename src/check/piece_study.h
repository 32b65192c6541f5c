#pragma once
// What a pass over the full graph did wrong: it counts one visit, so halving visits cannot tell. Its change is cut into
// independent pieces (localize/graph_pieces.h), and models with some of them are put together and run as variants are.

#include "check/recipe_search.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

class PieceStudy {
 public:
  /// `failing`: the attempt whose failure, `sought`, is looked for.
  PieceStudy(Study& study, Desk& desk, const Basis& basis, std::size_t failing, Showing sought)
      : study_(study), desk_(desk), basis_(basis), failing_(failing), sought_(std::move(sought)) {}

  /// Writes the bad pieces between these two models into the record, or why they cannot be told.
  Result<void> explain(const onnx::ModelProto& before, const onnx::ModelProto& after, RewriteRecord& record);

 private:
  Result<Showing> show(const onnx::ModelProto& model);
  [[nodiscard]] bool is_alike(const Showing& shown) const;

  Study& study_;
  Desk& desk_;
  const Basis& basis_;
  std::size_t failing_;
  Showing sought_;
  bool ran_out_of_time_ = false;
  std::size_t files_ = 0;
};

}  // namespace culprit
