#pragma once
// Oracles without processes: what fails is a question about which nodes there are.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "reduce/reduce.h"

namespace culprit {

using Words = std::set<std::string>;

/// A model of so many nodes, n0, n1 ..., that mean nothing.
inline Case case_of(int nodes) {
  auto model = std::make_shared<onnx::ModelProto>();
  model->set_ir_version(8);
  for (int i = 0; i < nodes; ++i) {
    auto* node = model->mutable_graph()->add_node();
    node->set_op_type("n" + std::to_string(i));  // of meaning, unlike a name
    node->add_output("v" + std::to_string(i));
  }
  return {std::move(model), {}};
}

inline Words nodes_of(const Case& a_case) {
  Words names;
  for (const auto& node : a_case.model->graph().node()) names.insert(node.op_type());
  return names;
}

/// Takes nodes out of the list and does not care what becomes of their values.
inline Delta taking_nodes() {
  return {Delta::Way::halving,
          false,
          [](const View& view) { return static_cast<std::size_t>(view.model.graph().node_size()); },
          [](const View& view, std::size_t first, std::size_t last) -> std::optional<Case> {
            auto model = std::make_shared<onnx::ModelProto>(view.model);
            model->mutable_graph()->mutable_node()->DeleteSubrange(static_cast<int>(first),
                                                                   static_cast<int>(last - first));
            return Case{std::move(model), view.samples};
          },
          {},
          "take_nodes"};
}

class FakeOracle : public Oracle {
 public:
  using Fails = std::function<bool(const Words& nodes, bool fresh)>;

  explicit FakeOracle(Fails fails, std::size_t places = 1) : fails_(std::move(fails)), places_(places) {}

  Result<std::vector<Answer>> ask(std::span<const Case> cases, bool fresh) override {
    if (++batches == error_at) return tl::unexpected(error);
    EXPECT_FALSE(cases.empty());
    EXPECT_LE(cases.size(), places_);
    std::vector<Answer> answers;
    for (const Case& a_case : cases) {
      const Words nodes = nodes_of(a_case);
      ++checks;
      const bool is_true = !is_mistyped || !is_mistyped(a_case);
      const bool fails = is_true && fails_(nodes, fresh);
      answers.push_back(!is_true ? Answer::mistyped : fails ? Answer::yes : Answer::no);
      const bool is_new = !is_true || refused_.insert(nodes).second || fresh || fails || asks_again;
      EXPECT_TRUE(is_new) << "asked twice";
    }
    return answers;
  }
  [[nodiscard]] std::size_t places() const override { return places_; }

  std::size_t batches = 0, checks = 0;
  std::size_t error_at = 0;  ///< that batch; 0: never
  Error error;
  std::function<bool(const Case&)> is_mistyped = {};
  bool asks_again = false;  ///< the failure flickers, so what was refused may be asked again

 private:
  Fails fails_;
  std::size_t places_;
  std::set<Words> refused_;
};

inline Reduction reduced(const Case& start, FakeOracle& oracle, ReduceTools tools) {
  const std::vector<Delta> deltas{taking_nodes()};
  const auto reduction = reduce(start, deltas, tools);
  if (!reduction) throw std::runtime_error(reduction.error().text());
  EXPECT_EQ(reduction->checks, oracle.checks);
  return *reduction;
}

inline Reduction reduced(const Case& start, FakeOracle& oracle) { return reduced(start, oracle, {oracle}); }

}  // namespace culprit
