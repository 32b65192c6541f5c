#include <onnx/onnx_pb.h>

#include "fakes.h"
#include "misdeeds.h"

namespace culprit::testing {
namespace {

constexpr const char* known_misdeeds[] = {"segfault", "abort", "overflow",  "busy",      "sleep",       "hog",
                                          "exit",     "throw", "throw_int", "bad_alloc", "sigkill",     "print",
                                          "children", "close", "garbage",   "flicker",   "killed_once", "want"};

void grow(onnx::ModelProto& model) {
  auto* node = model.mutable_graph()->add_node();
  node->set_op_type("Identity");
  node->add_input(model.graph().input(0).name());
  node->add_output("grown_" + std::to_string(model.graph().node_size()));
}

class FakeSession : public OptimizerSession {
 public:
  explicit FakeSession(onnx::ModelProto model) : model_(std::move(model)) {}

  bool may_match(const std::string& pass) override {
    if (pass.starts_with("scan_")) misbehave(pass.substr(5));
    return pass != "idle" && !pass.starts_with("scan_");
  }

  onnx::ModelProto apply(const Recipe& recipe) override {
    for (const std::string& pass : recipe.passes) {
      const std::string deed = pass.starts_with("full_") ? pass.substr(5) : pass;
      misbehave(deed);
      if (deed == "grow" || deed.starts_with("scan_")) grow(model_);
    }
    return model_;
  }

  /// "visits": 60,000 of them, with the long names that exporters give; and then what `apply` does.
  onnx::ModelProto apply_within(const Recipe& recipe, const RewriteLimits& limits, std::uint64_t& count,
                                const OnVisit& on_visit) override {
    if (recipe.passes.empty() || recipe.passes[0] != "visits")
      return OptimizerSession::apply_within(recipe, limits, count, on_visit);
    for (; count < many_visits; ++count) on_visit(visit_number(count));
    return apply(recipe);
  }

 private:
  onnx::ModelProto model_;
};

class FakeOptimizer : public Optimizer {
 public:
  explicit FakeOptimizer(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string version() const override { return "0"; }

  [[nodiscard]] std::vector<PassInfo> passes() const override {
    std::vector<PassInfo> passes;
    const auto add = [&](const std::string& pass) {
      PassInfo info;
      info.name = pass;
      info.by_predicate = !pass.starts_with("full_");
      passes.push_back(info);
    };
    for (const char* pass : {"idle", "grow", "full_idle", "full_grow", "visits"}) add(pass);
    for (const std::string deed : known_misdeeds)
      for (const char* prefix : {"", "scan_", "full_"}) add(prefix + deed);
    return passes;
  }

  std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model, const ImportPlace& /*place*/) override {
    if (name_.starts_with("import_")) misbehave(name_.substr(7));
    return std::make_unique<FakeSession>(model);
  }

 private:
  std::string name_;
};

}  // namespace

std::shared_ptr<Optimizer> make_fake_optimizer(const std::string& name) {
  return std::make_shared<FakeOptimizer>(name);
}

}  // namespace culprit::testing
