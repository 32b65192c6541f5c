#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <stdexcept>

#include "model/fingerprint.h"
#include "optimizer/optimizer.h"
#include "unit/models/model/parse.h"
#include "unit/running/optimizer/ops.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::ElementsAre;

ModelProto with_three_identities() {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (float[2,3] x) => (float[2,3] y) <float[3] w = {1, 2, 3}, float[3] unused = {1, 2, 3}> {
      a = Identity(x)
      b = Add(a, w)
      c = Identity(b)
      d = Relu(c)
      e = Identity(d)
      y = Neg(e)
    })");
}

struct Limited {
  ModelProto model;
  RewriteTrace trace;
};

Limited apply(const ModelProto& model, std::vector<std::string> passes, const RewriteLimits& limits,
              Repeat repeat = Repeat::once) {
  Limited result;
  result.model = make_onnx_optimizer()->import(model, {})->apply_within(
      {"onnx_optimizer", std::move(passes), repeat}, limits, result.trace.count,
      [&](const RewriteVisit& visit) { result.trace.visits.push_back(visit); });
  return result;
}

std::vector<std::string> outputs(const RewriteTrace& trace) {
  std::vector<std::string> result;
  for (const RewriteVisit& visit : trace.visits) result.push_back(visit.site.output);
  return result;
}

TEST(Rewrites, WithoutLimitsAreByteIdentical) {
  const std::vector<std::string> bundle = [] {
    std::vector<std::string> names;
    for (const PassInfo& pass : make_onnx_optimizer()->passes()) {
      if (pass.in_bundle) names.push_back(pass.name);
    }
    return names;
  }();
  for (const Repeat repeat : {Repeat::once, Repeat::library, Repeat::stable}) {
    const auto plain =
        make_onnx_optimizer()->import(with_three_identities(), {})->apply({"onnx_optimizer", bundle, repeat});
    const auto limited = apply(with_three_identities(), bundle, RewriteLimits{.trace = true}, repeat);
    EXPECT_EQ(plain.SerializeAsString(), limited.model.SerializeAsString());
    EXPECT_EQ(limited.trace.count, limited.trace.visits.size());
  }
}

TEST(Rewrites, StopAfterTheBudget) {
  const std::vector<std::vector<std::string>> expected = {{"Identity", "Add", "Identity", "Relu", "Identity", "Neg"},
                                                          {"Add", "Identity", "Relu", "Identity", "Neg"},
                                                          {"Add", "Relu", "Identity", "Neg"},
                                                          {"Add", "Relu", "Neg"},
                                                          {"Add", "Relu", "Neg"}};
  for (std::uint64_t budget = 0; budget < expected.size(); ++budget) {
    const auto limited = apply(with_three_identities(), {"eliminate_identity"}, RewriteLimits{.budget = budget});
    EXPECT_EQ(ops(limited.model), expected[budget]);
    EXPECT_EQ(limited.trace.count, std::min<std::uint64_t>(budget, 3));
    EXPECT_TRUE(limited.trace.visits.empty());  // nobody asked
  }
}

TEST(Rewrites, NoBudgetAtAllIsTheRoundTrip) {
  for (const Repeat repeat : {Repeat::once, Repeat::library, Repeat::stable}) {
    const auto limited = apply(with_three_identities(), {"eliminate_identity", "eliminate_unused_initializer"},
                               RewriteLimits{.budget = 0}, repeat);
    EXPECT_EQ(fingerprint(limited.model), fingerprint(with_three_identities()));
  }
}

TEST(Rewrites, TraceSaysWhere) {
  const auto limited = apply(with_three_identities(), {"eliminate_identity"}, RewriteLimits{.trace = true});
  EXPECT_THAT(outputs(limited.trace), ElementsAre("a", "c", "e"));
  EXPECT_EQ(limited.trace.visits[1], (RewriteVisit{{"eliminate_identity", "c"}, "Identity", {"b"}}));
}

TEST(Rewrites, SkippedSitesStayAndDoNotCount) {
  const RewriteLimits limits{.budget = 2, .skip = {{"eliminate_identity", "a"}}, .trace = true};
  const auto limited = apply(with_three_identities(), {"eliminate_identity"}, limits);
  EXPECT_EQ(ops(limited.model), (std::vector<std::string>{"Identity", "Add", "Relu", "Neg"}));
  EXPECT_THAT(outputs(limited.trace), ElementsAre("c", "e"));
}

TEST(Rewrites, ASkipIsOfOnePass) {
  const auto limited = apply(with_three_identities(), {"eliminate_identity"},
                             RewriteLimits{.skip = {{"eliminate_nop_with_unit", "a"}, {"eliminate_identity", "b"}}});
  EXPECT_EQ(limited.trace.count, 3U);
}

TEST(Rewrites, APassOverTheFullGraphCountsOne) {
  const std::vector<std::string> passes = {"eliminate_unused_initializer", "eliminate_identity"};
  const auto one = apply(with_three_identities(), passes, RewriteLimits{.budget = 1, .trace = true});
  EXPECT_EQ(one.model.graph().initializer_size(), 1);
  EXPECT_EQ(one.model.graph().node_size(), 6);
  EXPECT_THAT(one.trace.visits, ElementsAre(RewriteVisit{{"eliminate_unused_initializer", ""}, "", {}}));
  const auto without = apply(with_three_identities(), passes, RewriteLimits{.skip = {{passes[0], ""}}});
  EXPECT_EQ(without.model.graph().initializer_size(), 2);
  EXPECT_EQ(without.trace.count, 3U);
}

TEST(Rewrites, CountOverAllRoundsOfTheFixpoint) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (float[2,3] x) => (float[2,3] y) {
      a = Identity(x)
      b = Transpose<perm = [1, 0]>(a)
      c = Transpose<perm = [1, 0]>(b)
      y = Relu(c)
    })");
  const std::vector<std::string> passes = {"eliminate_nop_transpose", "fuse_consecutive_transposes"};
  const auto all = apply(model, passes, RewriteLimits{.trace = true}, Repeat::stable);
  EXPECT_EQ(ops(all.model), (std::vector<std::string>{"Identity", "Relu"}));
  EXPECT_THAT(outputs(all.trace), ElementsAre("c", "c"));  // fused in the first round, a no-op in the second
  const auto first = apply(model, passes, RewriteLimits{.budget = 1}, Repeat::stable);
  EXPECT_EQ(ops(first.model), (std::vector<std::string>{"Identity", "Transpose", "Relu"}));
}

TEST(Rewrites, WhatPredicatesAreAskedAboutIsToldIfWanted) {
  const auto limited = apply(with_three_identities(), {"eliminate_identity"}, RewriteLimits{.trace_predicates = true});
  ASSERT_EQ(limited.trace.visits.size(), 8u);  // the library's own Undefined, six nodes, and that it has answered
  EXPECT_EQ(limited.trace.visits[2], (RewriteVisit{{"eliminate_identity", "b"}, "Add", {"x", "w"}, true}));
  EXPECT_EQ(limited.trace.visits.back(), (RewriteVisit{{"", ""}, "", {}, true}));
  EXPECT_EQ(limited.trace.count, 3u);
}

TEST(Rewrites, OtherOptimizersRefuse) {
  class Plain final : public OptimizerSession {
    bool may_match(const std::string&) override { return true; }
    ModelProto apply(const Recipe&) override { return {}; }
  } plain;
  OptimizerSession& session = plain;
  std::uint64_t count = 0;
  EXPECT_THROW(session.apply_within({}, {}, count, {}), std::logic_error);
}

}  // namespace
}  // namespace culprit
