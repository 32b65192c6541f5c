// An optimizer that is right at every place but one: linked into the product's objects in place of ONNX Optimizer, by
// the linker's --wrap. Its passes are the kinds of mistakes; CULPRIT_PLANTED_SEED chooses the place.
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "mutation/mistakes.h"
#include "optimizer/optimizer.h"

namespace culprit::testing {
namespace {

std::uint64_t seed() {
  const char* text = std::getenv("CULPRIT_PLANTED_SEED");
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

const Mistake& mistake_for(const std::string& pass) {
  const Mistake* mistake = mistake_of(pass);
  if (mistake == nullptr) throw std::invalid_argument("no pass is called " + pass);
  return *mistake;
}

class PlantedSession : public OptimizerSession {
 public:
  explicit PlantedSession(onnx::ModelProto model) : model_(std::move(model)) {}

  bool may_match(const std::string& pass) override { return !places_of(mistake_for(pass), model_.graph()).empty(); }

  std::vector<Place> places(const std::string& pass, std::size_t most) override {
    std::vector<Place> found;
    for (const int number : places_of(mistake_for(pass), model_.graph())) {
      const onnx::NodeProto& node = model_.graph().node(number);
      if (found.size() < most)
        found.push_back({pass, node.op_type(), node.output(0), {node.input().begin(), node.input().end()}});
    }
    return found;
  }

  onnx::ModelProto apply(const Recipe& recipe) override {
    std::uint64_t count = 0;
    return apply_within(recipe, {}, count, {});
  }

  onnx::ModelProto apply_within(const Recipe& recipe, const RewriteLimits& limits, std::uint64_t& count,
                                const OnVisit& on_visit) override {
    for (const std::string& pass : recipe.passes) run(pass, limits, count, on_visit);
    return model_;
  }

 private:
  void run(const std::string& pass, const RewriteLimits& limits, std::uint64_t& count, const OnVisit& on_visit) {
    const Mistake& mistake = mistake_for(pass);
    const std::vector<int> places = places_of(mistake, model_.graph());
    if (places.empty()) return;
    const int wrong = places[chosen_place(pass, seed(), places.size())];
    onnx::GraphProto graph = model_.graph();
    graph.clear_node();
    for (int i = 0; i < model_.graph().node_size(); ++i) {
      const onnx::NodeProto& node = model_.graph().node(i);
      const RewriteSite site{pass, node.output(0)};
      const bool is_visited = std::ranges::binary_search(places, i) && (!limits.budget || count < *limits.budget) &&
                              std::ranges::find(limits.skip, site) == limits.skip.end();
      if (!is_visited) {
        *graph.add_node() = node;
        continue;
      }
      ++count;
      if (limits.trace && on_visit) on_visit({site, node.op_type(), {node.input().begin(), node.input().end()}});
      for (onnx::NodeProto& made : rewritten(mistake, node, i == wrong ? Rewritten::wrongly : Rewritten::rightly))
        graph.add_node()->Swap(&made);
    }
    *model_.mutable_graph() = std::move(graph);
  }

  onnx::ModelProto model_;
};

class PlantedOptimizer : public Optimizer {
 public:
  [[nodiscard]] std::string name() const override { return "onnx_optimizer"; }
  [[nodiscard]] std::string version() const override { return "planted"; }
  [[nodiscard]] std::vector<PassInfo> passes() const override {
    std::vector<PassInfo> passes;
    for (const Mistake& mistake : mistakes())
      passes.push_back({mistake.kind, "other", Contract::equivalent, true, true, "planted"});
    return passes;
  }
  std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model, const ImportPlace& /*place*/) override {
    return std::make_unique<PlantedSession>(model);
  }
};

}  // namespace
}  // namespace culprit::testing

namespace culprit {
std::unique_ptr<Optimizer> planted() asm("__wrap__ZN7culprit19make_onnx_optimizerEv");
std::unique_ptr<Optimizer> planted() { return std::make_unique<testing::PlantedOptimizer>(); }
}  // namespace culprit
