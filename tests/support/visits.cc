#include "support/visits.h"

#include "model/fingerprint.h"
#include "optimizer/onnx_optimizer/library.h"

namespace culprit::testing {
namespace {

namespace library = onnx::optimization;

Hash128 fingerprint_of(const onnx::ModelProto& frame, const std::shared_ptr<onnx::Graph>& graph) {
  onnx::ModelProto exported = frame;
  onnx::ExportModelProto(&exported, graph);
  return fingerprint(exported);
}

/// Stands in for a pass, lets it work, and looks at the whole graph before and after each application: a pass may
/// work on a graph inside a node, and its return value is not to be relied on.
class Counted final : public library::PredicateBasedPass {
 public:
  Counted(library::PredicateBasedPass& pass, const onnx::ModelProto& frame, std::shared_ptr<onnx::Graph> graph)
      : PredicateBasedPass(pass.getPassType(), pass.getPassEfficiency(), pass.getPassOptimizationType()),
        pass_(pass),
        frame_(frame),
        graph_(std::move(graph)) {}
  [[nodiscard]] std::string getPassName() const override { return pass_.getPassName(); }
  bool patternMatchPredicate(onnx::Node* node) override { return pass_.patternMatchPredicate(node); }
  bool runTransform(onnx::Node* node, onnx::Graph& graph, library::NodeDestroyType& destroy) override {
    const auto before = fingerprint_of(frame_, graph_);
    const bool said = pass_.runTransform(node, graph, destroy);
    if (destroy != library::NodeDestroyType::DestroyZero || fingerprint_of(frame_, graph_) != before) ++visits_;
    return said;
  }
  [[nodiscard]] int visits() const { return visits_; }

 private:
  library::PredicateBasedPass& pass_;
  const onnx::ModelProto& frame_;
  std::shared_ptr<onnx::Graph> graph_;
  int visits_ = 0;
};

}  // namespace

int count_visits(const onnx::ModelProto& given, const std::string& name) {
  onnx::ModelProto model = given;
  if (model.ir_version() == 3) model.set_ir_version(4);  // as the library does before it imports
  const std::shared_ptr<onnx::Graph> graph = onnx::ImportModelProto(model);
  const onnx::ModelProto frame = onnx::PrepareOutput(model);
  const auto pass = library::Optimizer::passes.find(name);
  if (auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get())) {
    Counted counted(*by_predicate, frame, graph);
    counted.runPass(*graph);
    return counted.visits();
  }
  const auto before = fingerprint_of(frame, graph);
  pass->runPass(*graph);
  return fingerprint_of(frame, graph) == before ? 0 : 1;
}

}  // namespace culprit::testing
