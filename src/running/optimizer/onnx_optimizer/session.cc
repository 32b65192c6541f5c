#include "optimizer/onnx_optimizer/session.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "model/fingerprint.h"
#include "optimizer/onnx_optimizer/budget.h"
#include "optimizer/onnx_optimizer/library.h"
#include "optimizer/onnx_optimizer/tensors.h"

namespace culprit {
namespace {

namespace library = onnx::optimization;

constexpr int most_rounds = 100;  // of Repeat::stable; recipes that swing between two models never end

/// Calls `visit` for every node in the order of PredicateBasedPass::runPass, the graphs inside a node before the node,
/// until it returns true. Was there such a node?
template <class Visit>
bool any_node(onnx::Graph& graph, const Visit& visit) {
  for (auto at = graph.begin(); at != graph.end(); ++at) {
    onnx::Node* node = *at;
    for (const auto name : node->attributeNames()) {
      if (node->kindOf(name) == onnx::AttributeKind::g && any_node(*node->g(name), visit)) return true;
      if (node->kindOf(name) != onnx::AttributeKind::gs) continue;
      for (const auto& inner : node->gs(name)) {
        if (any_node(*inner, visit)) return true;
      }
    }
    if (visit(node)) return true;
  }
  return false;
}

Place place_of(const std::string& pass, onnx::Node& node) {
  Place place{pass, node.kind().toString(), "", {}};
  if (!node.outputs().empty()) place.output = node.outputs()[0]->uniqueName();
  for (const onnx::Value* input : node.inputs()) {
    const bool is_left_out = input->node()->kind() == onnx::kUndefined;
    place.inputs.push_back(is_left_out ? "" : input->uniqueName());
  }
  return place;
}

bool has_constant_operand(onnx::Node& node) {
  const auto inputs = node.inputs();
  return inputs.size() == 2 && std::any_of(inputs.begin(), inputs.end(), [](const onnx::Value* input) {
           return input->node()->kind() == onnx::kConstant || input->node()->kind() == onnx::kParam;
         });
}

/// A predicate that holds nearly everywhere (eliminate_nop_with_unit's always does) says little about places: of many,
/// those of two operands, one of them from outside the nodes, come first.
void keep_likely(std::vector<onnx::Node*>& matching, std::size_t most) {
  if (matching.size() <= most) return;
  std::vector<onnx::Node*> likely;
  std::copy_if(matching.begin(), matching.end(), std::back_inserter(likely),
               [](onnx::Node* node) { return has_constant_operand(*node); });
  if (!likely.empty()) matching = std::move(likely);
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

  void use(Weights& weights) override {
    weights_ = &weights;
    if (graph_ != nullptr) bring_inside(*graph_, weights);
  }

  bool may_match(const std::string& name) override {
    const auto pass = library::Optimizer::passes.find(name);
    auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get());
    if (by_predicate == nullptr) return true;
    return graph_ != nullptr &&
           any_node(*graph_, [&](onnx::Node* node) { return by_predicate->patternMatchPredicate(node); });
  }

  std::vector<Place> places(const std::string& name, std::size_t most) override {
    std::vector<onnx::Node*> matching;
    const auto pass = library::Optimizer::passes.find(name);
    auto* by_predicate = dynamic_cast<library::PredicateBasedPass*>(pass.get());
    if (by_predicate == nullptr || graph_ == nullptr) return {};
    any_node(*graph_, [&](onnx::Node* node) {
      if (by_predicate->patternMatchPredicate(node)) matching.push_back(node);
      return false;
    });
    keep_likely(matching, most);
    std::vector<Place> found;
    const std::size_t count = std::min(most, matching.size());
    for (std::size_t i = 0; i < count; ++i) found.push_back(place_of(name, *matching[i * matching.size() / count]));
    return found;
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
    if (graph_ != nullptr && weights_ != nullptr) leave_outside(*graph_, *weights_);
    if (graph_ != nullptr) onnx::ExportModelProto(&frame_, graph_);
    if (recipe.repeat != Repeat::stable) return std::move(frame_);
    graph_.reset();
    return repeat(std::move(frame_), recipe, budget, weights_);
  }

  static onnx::ModelProto repeat(onnx::ModelProto model, const Recipe& recipe, Budget* budget, Weights* weights) {
    Recipe once = recipe;
    once.repeat = Repeat::once;
    std::set<Hash128> seen{fingerprint(model)};
    for (int round = 1; round < most_rounds; ++round) {
      Session session(model);
      if (weights != nullptr) session.use(*weights);
      model = session.apply(once, budget);
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

onnx::ModelProto OptimizerSession::apply_within(const Recipe& /*recipe*/, const RewriteLimits& /*limits*/,
                                                std::uint64_t& /*count*/, const OnVisit& /*on_visit*/) {
  throw std::logic_error("the rewrites of this optimizer cannot be counted");
}

std::unique_ptr<OptimizerSession> import_into_onnx_optimizer(const onnx::ModelProto& model) {
  return std::make_unique<Session>(model);
}

}  // namespace culprit
