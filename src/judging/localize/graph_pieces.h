#pragma once
// What a pass over the full graph did, cut into pieces that can be done one without the other: each is a claim that two
// values are the same, and so right or wrong by itself. A value is replaced by another wherever it is read; a value is
// computed in another way; a weight has other elements; a value is taken away though it is read. What is not read any
// more may go, and what is newly read comes: those are no pieces. Pure.

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "search/ddmin.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

struct GraphPiece {
  std::string what;    ///< "'minus' is replaced by 'plus'"; printable
  std::string output;  ///< first output of the first node of the top graph that it changes; "" where it changes none
};

class GraphPieces {
 public:
  /// ErrorKind::unsupported where the models differ in more than the nodes and initializers of their graphs (inputs,
  /// outputs, versions), with the reason.
  static Result<GraphPieces> split(const onnx::ModelProto& before, const onnx::ModelProto& after);

  GraphPieces(GraphPieces&&) noexcept;
  GraphPieces& operator=(GraphPieces&&) noexcept;
  ~GraphPieces();

  /// In the order of the graph.
  [[nodiscard]] const std::vector<GraphPiece>& pieces() const;
  /// The model before with these pieces done: its nodes sorted, as far as that is possible.
  [[nodiscard]] onnx::ModelProto with(const Subset& pieces) const;

 private:
  class Cut;
  explicit GraphPieces(std::unique_ptr<Cut> cut);
  std::unique_ptr<Cut> cut_;
};

}  // namespace culprit
