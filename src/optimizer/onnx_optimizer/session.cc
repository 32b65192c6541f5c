#include "optimizer/onnx_optimizer/session.h"

#include <set>
#include <stdexcept>
#include <utility>

#include "model/fingerprint.h"
#include "optimizer/onnx_optimizer/budget.h"
#include "optimizer/onnx_optimizer/library.h"

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

/// Throws for a pass that is not there, as the library does, even where there is no graph to run on. `budget` may be
/// null.
void run_with(library::PassManager&& manager, const std::vector<std::string>& passes, onnx::Graph* graph,
              Budget* budget) {
  for (const auto& name : passes) {
    auto pass = library::Optimizer::passes.find(name);
    manager.add(budget == nullptr ? std::move(pass) : budgeted(std::move(pass), *budget));
  }
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

  bool may_match(const std::string& name) override {
    const auto pass = library::Optimizer::passes.find(name);
    auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get());
    if (by_predicate == nullptr) return true;
    return graph_ != nullptr && matches_in(*graph_, *by_predicate);
  }

  onnx::ModelProto apply(const Recipe& recipe) override { return apply(recipe, nullptr); }

  onnx::ModelProto apply_within(const Recipe& recipe, const RewriteLimits& limits, std::uint64_t& count,
                                const OnVisit& on_visit) override {
    Budget budget(limits, count, on_visit);
    return apply(recipe, &budget);
  }

 private:
  onnx::ModelProto apply(const Recipe& recipe, Budget* budget) {
    if (std::exchange(used_, true)) throw std::logic_error("an optimizer session serves one recipe");
    if (recipe.repeat == Repeat::library) {
      run_with(library::FixedPointPassManager(), recipe.passes, graph_.get(), budget);
    } else {
      run_with(library::GeneralPassManager(), recipe.passes, graph_.get(), budget);
    }
    if (graph_ != nullptr) onnx::ExportModelProto(&frame_, graph_);
    if (recipe.repeat != Repeat::stable) return std::move(frame_);
    graph_.reset();
    return repeat(std::move(frame_), recipe, budget);
  }

  static onnx::ModelProto repeat(onnx::ModelProto model, const Recipe& recipe, Budget* budget) {
    Recipe once = recipe;
    once.repeat = Repeat::once;
    std::set<Hash128> seen{fingerprint(model)};
    for (int round = 1; round < kMostRounds; ++round) {
      model = Session(model).apply(once, budget);
      if (!seen.insert(fingerprint(model)).second) break;
    }
    return model;
  }

  std::shared_ptr<onnx::Graph> graph_;
  onnx::ModelProto frame_;
  bool used_ = false;
};

}  // namespace

onnx::ModelProto OptimizerSession::apply_within(const Recipe& /*recipe*/, const RewriteLimits& /*limits*/,
                                                std::uint64_t& /*count*/, const OnVisit& /*on_visit*/) {
  throw std::logic_error("the rewrites of this optimizer cannot be counted");
}

std::unique_ptr<OptimizerSession> import_into_onnx_optimizer(const onnx::ModelProto& model) {
  return std::make_unique<Session>(model);
}

}  // namespace culprit
