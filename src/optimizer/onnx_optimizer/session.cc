#include "optimizer/onnx_optimizer/session.h"

#include <set>
#include <stdexcept>
#include <utility>

#include "model/fingerprint.h"
#include "optimizer/onnx_optimizer/library.h"
#include "optimizer/onnx_optimizer/tensors.h"

namespace culprit {
namespace {

namespace library = onnx::optimization;

constexpr int kMostRounds = 100;  // of Repeat::stable; recipes that swing between two models never end

/// Does the predicate hold anywhere? In the order of PredicateBasedPass::runPass: the graphs inside a node, then the
/// node.
bool matches_in(onnx::Graph& graph, library::PredicateBasedPass& pass) {
  for (auto at = graph.begin(); at != graph.end(); ++at) {
    onnx::Node* node = *at;
    for (const auto name : node->attributeNames()) {
      if (node->kindOf(name) == onnx::AttributeKind::g && matches_in(*node->g(name), pass)) return true;
      if (node->kindOf(name) != onnx::AttributeKind::gs) continue;
      for (const auto& inner : node->gs(name)) {
        if (matches_in(*inner, pass)) return true;
      }
    }
    if (pass.patternMatchPredicate(node)) return true;
  }
  return false;
}

/// Throws for a pass that is not there, as the library does, even where there is no graph to run on.
void run_with(library::PassManager&& manager, const std::vector<std::string>& passes, onnx::Graph* graph) {
  for (const auto& name : passes) manager.add(library::Optimizer::passes.find(name));
  if (graph != nullptr) manager.run(*graph);
}

/// What the export starts from: all of the model but its graph.
onnx::ModelProto frame_of(const onnx::ModelProto& model) {
  onnx::ModelProto frame = onnx::PrepareOutput(model);
  *frame.mutable_functions() = model.functions();
  return frame;
}

class Session final : public OptimizerSession {
 public:
  explicit Session(const onnx::ModelProto& model) {
    if (model.ir_version() == 3) {
      // The library raises IR 3, so that initializers need not be inputs.
      onnx::ModelProto raised = model;
      raised.set_ir_version(4);
      graph_ = onnx::ImportModelProto(raised);
      frame_ = frame_of(raised);
      return;
    }
    graph_ = onnx::ImportModelProto(model);
    // No graph where the IR version is too old (or not named): the model comes back as it is.
    frame_ = graph_ == nullptr ? model : frame_of(model);
  }

  void use(Weights& weights) override {
    weights_ = &weights;
    if (graph_ != nullptr) bring_inside(*graph_, weights);
  }

  bool may_match(const std::string& name) override {
    const auto pass = library::Optimizer::passes.find(name);
    auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get());
    if (by_predicate == nullptr) return true;
    return graph_ != nullptr && matches_in(*graph_, *by_predicate);
  }

  onnx::ModelProto apply(const Recipe& recipe) override {
    if (std::exchange(used_, true)) throw std::logic_error("an optimizer session serves one recipe");
    if (recipe.repeat == Repeat::library) {
      run_with(library::FixedPointPassManager(), recipe.passes, graph_.get());
    } else {
      run_with(library::GeneralPassManager(), recipe.passes, graph_.get());
    }
    if (graph_ != nullptr && weights_ != nullptr) leave_outside(*graph_, *weights_);
    if (graph_ != nullptr) onnx::ExportModelProto(&frame_, graph_);
    if (recipe.repeat != Repeat::stable) return std::move(frame_);
    graph_.reset();
    return repeat(std::move(frame_), recipe, weights_);
  }

 private:
  static onnx::ModelProto repeat(onnx::ModelProto model, const Recipe& recipe, Weights* weights) {
    Recipe once = recipe;
    once.repeat = Repeat::once;
    std::set<Hash128> seen{fingerprint(model)};
    for (int round = 1; round < kMostRounds; ++round) {
      Session session(model);
      if (weights != nullptr) session.use(*weights);
      model = session.apply(once);
      if (!seen.insert(fingerprint(model)).second) break;
    }
    return model;
  }

  std::shared_ptr<onnx::Graph> graph_;
  onnx::ModelProto frame_;
  Weights* weights_ = nullptr;
  bool used_ = false;
};

}  // namespace

std::unique_ptr<OptimizerSession> import_into_onnx_optimizer(const onnx::ModelProto& model) {
  return std::make_unique<Session>(model);
}

}  // namespace culprit
