#include "optimizer/onnx_optimizer/budget.h"

#include <utility>

namespace culprit {
namespace {

namespace library = onnx::optimization;

RewriteSite site_of(library::Pass& pass, onnx::Node* node) {
  const bool has_output = node != nullptr && !node->outputs().empty();
  return {pass.getPassName(), has_output ? node->outputs().front()->uniqueName() : ""};
}

class BudgetedByPredicate final : public library::PredicateBasedPass {
 public:
  BudgetedByPredicate(std::shared_ptr<library::Pass> pass, library::PredicateBasedPass& by_predicate, Budget& budget)
      : PredicateBasedPass(pass->getPassType(), pass->getPassEfficiency(), pass->getPassOptimizationType()),
        pass_(std::move(pass)),
        by_predicate_(by_predicate),
        budget_(budget) {}

  [[nodiscard]] std::string getPassName() const override { return pass_->getPassName(); }
  bool initializePass(onnx::Graph& graph) override { return pass_->initializePass(graph); }
  bool finalizePass(onnx::Graph& graph) override { return pass_->finalizePass(graph); }

  bool patternMatchPredicate(onnx::Node* node) override {
    const RewriteSite site = site_of(*pass_, node);
    if (!budget_.allows(site)) return false;
    budget_.ask(site, node);
    return by_predicate_.patternMatchPredicate(node);
  }

  std::shared_ptr<library::PostPassAnalysis> runPass(onnx::Graph& graph) override {
    auto analysis = PredicateBasedPass::runPass(graph);
    budget_.ask({}, nullptr);
    return analysis;
  }

  bool runTransform(onnx::Node* node, onnx::Graph& graph, library::NodeDestroyType& destroy) override {
    budget_.spend(site_of(*pass_, node), node);
    return by_predicate_.runTransform(node, graph, destroy);
  }

 private:
  std::shared_ptr<library::Pass> pass_;
  library::PredicateBasedPass& by_predicate_;  // the same
  Budget& budget_;
};

class BudgetedFullGraph final : public library::FullGraphBasedPass {
 public:
  BudgetedFullGraph(std::shared_ptr<library::Pass> pass, Budget& budget)
      : FullGraphBasedPass(pass->getPassType(), pass->getPassEfficiency(), pass->getPassOptimizationType()),
        pass_(std::move(pass)),
        budget_(budget) {}

  [[nodiscard]] std::string getPassName() const override { return pass_->getPassName(); }
  [[nodiscard]] library::PassAnalysisType getPassAnalysisType() const override { return pass_->getPassAnalysisType(); }
  bool initializePass(onnx::Graph& graph) override { return pass_->initializePass(graph); }
  bool finalizePass(onnx::Graph& graph) override { return pass_->finalizePass(graph); }

  std::shared_ptr<library::PostPassAnalysis> runPass(onnx::Graph& graph) override {
    const RewriteSite site = site_of(*pass_, nullptr);
    // Not null: the fixpoint looks into what comes back.
    if (!budget_.allows(site)) return std::make_shared<library::CountBasedPassAnalysis>(this, 0, false, false);
    budget_.spend(site, nullptr);
    return pass_->runPass(graph);
  }

 private:
  std::shared_ptr<library::Pass> pass_;
  Budget& budget_;
};

}  // namespace

Budget::Budget(const RewriteLimits& limits, std::uint64_t& count, const OnVisit& on_visit)
    : limits_(limits), skip_(limits.skip.begin(), limits.skip.end()), count_(count), on_visit_(on_visit) {}

bool Budget::allows(const RewriteSite& site) const {
  return (!limits_.budget || count_ < *limits_.budget) && !skip_.contains(site);
}

void Budget::spend(const RewriteSite& site, onnx::Node* node) {
  ++count_;
  if (limits_.trace && count_ <= RewriteTrace::most_traced) tell(site, node, false);
}

void Budget::ask(const RewriteSite& site, onnx::Node* node) {
  if (limits_.trace_predicates) tell(site, node, true);
}

void Budget::tell(const RewriteSite& site, onnx::Node* node, bool only_asked) const {
  if (!on_visit_) return;
  RewriteVisit visit{site, "", {}, only_asked};
  if (node != nullptr) {
    visit.op_type = node->kind().toString();
    for (const onnx::Value* input : node->inputs()) visit.inputs.push_back(input->uniqueName());
  }
  on_visit_(visit);
}

std::shared_ptr<library::Pass> budgeted(std::shared_ptr<library::Pass> pass, Budget& budget) {
  if (auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get())) {
    return std::make_shared<BudgetedByPredicate>(std::move(pass), *by_predicate, budget);
  }
  return std::make_shared<BudgetedFullGraph>(std::move(pass), budget);
}

}  // namespace culprit
