#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <stdexcept>

#include "model/fingerprint.h"
#include "optimizer/optimizer.h"
#include "unit/models/model/parse.h"
#include "unit/running/optimizer/ops.h"

// The library's own entry points, to compare with. Declared here because its headers are seen by the room only.
namespace onnx::optimization {
ModelProto Optimize(const ModelProto& model, const std::vector<std::string>& names);
ModelProto OptimizeFixed(const ModelProto& model, const std::vector<std::string>& names);
}  // namespace onnx::optimization

namespace culprit {
namespace {

using onnx::ModelProto;

ModelProto apply(const ModelProto& model, std::vector<std::string> passes, Repeat repeat = Repeat::once) {
  return make_onnx_optimizer()->import(model, {})->apply({"onnx_optimizer", std::move(passes), repeat});
}

ModelProto with_identities() {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (float[2,3] x) => (float[2,3] y) <float[3] w = {1, 2, 3}> {
      a = Identity(x)
      b = Add(a, w)
      c = Identity(b)
      y = Relu(c)
    })");
}

TEST(Session, NoPassesIsTheRoundTrip) {
  const auto model = with_identities();
  EXPECT_EQ(apply(model, {}).SerializeAsString(), onnx::optimization::Optimize(model, {}).SerializeAsString());
  EXPECT_EQ(fingerprint(apply(model, {})), fingerprint(model));
}

TEST(Session, AppliesPassesInOrder) {
  EXPECT_THAT(ops(apply(with_identities(), {"eliminate_identity"})), testing::ElementsAre("Add", "Relu"));
  EXPECT_THAT(ops(apply(with_identities(), {"nop", "eliminate_identity", "eliminate_deadend"})),
              testing::ElementsAre("Add", "Relu"));
}

TEST(Session, ScanTellsWhatMatches) {
  const auto model = with_identities();
  const auto session = make_onnx_optimizer()->import(model, {});
  EXPECT_TRUE(session->may_match("eliminate_identity"));
  EXPECT_TRUE(session->may_match("eliminate_nop_with_unit"));  // matches every node
  EXPECT_TRUE(session->may_match("eliminate_deadend"));        // has no predicate
  EXPECT_FALSE(session->may_match("fuse_bn_into_conv"));
  EXPECT_EQ(session->apply({}).SerializeAsString(), apply(model, {}).SerializeAsString());
}

TEST(Session, PlacesAreTheNodesThatMatch) {
  const auto model = with_identities();
  const auto session = make_onnx_optimizer()->import(model, {});
  EXPECT_THAT(session->places("eliminate_identity", 8),
              testing::ElementsAre(Place{"eliminate_identity", "Identity", "a", {"x"}},
                                   Place{"eliminate_identity", "Identity", "c", {"b"}}));
  EXPECT_THAT(session->places("fuse_bn_into_conv", 8), testing::IsEmpty());
  EXPECT_THAT(session->places("eliminate_deadend", 8), testing::IsEmpty()) << "has no predicate";
  EXPECT_EQ(session->places("eliminate_identity", 1).size(), 1U);
  EXPECT_THAT(session->places("eliminate_nop_with_unit", 3),
              testing::ElementsAre(Place{"eliminate_nop_with_unit", "Add", "b", {"a", "w"}}))
      << "of many, those with a constant operand";
  EXPECT_EQ(session->apply({}).SerializeAsString(), apply(model, {}).SerializeAsString());
}

TEST(Session, ScanLooksIntoSubgraphs) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (bool c, float[2] x) => (float[2] y) {
      y = If (c) <then_branch = t () => (float[2] a) { i = Identity(x) a = Relu(i) },
                  else_branch = e () => (float[2] b) { b = Relu(x) }> })");
  EXPECT_TRUE(make_onnx_optimizer()->import(model, {})->may_match("eliminate_identity"));
  EXPECT_FALSE(make_onnx_optimizer()->import(model, {})->may_match("eliminate_nop_cast"));
}

TEST(Session, RaisesIr3AsTheLibraryDoes) {
  auto model = with_identities();
  model.set_ir_version(3);
  auto* input = model.mutable_graph()->add_input();
  *input = model.graph().input(0);
  input->set_name("w");
  EXPECT_EQ(apply(model, {}).ir_version(), 4);
  EXPECT_EQ(apply(model, {"eliminate_identity"}).SerializeAsString(),
            onnx::optimization::Optimize(model, {"eliminate_identity"}).SerializeAsString());
}

TEST(Session, GivesBackWhatIsTooOld) {
  auto model = with_identities();
  for (const int version : {0, 1}) {
    model.set_ir_version(version);
    const auto session = make_onnx_optimizer()->import(model, {});
    EXPECT_FALSE(session->may_match("eliminate_identity"));
    EXPECT_EQ(session->apply({"", {"eliminate_identity"}, Repeat::library}).SerializeAsString(),
              model.SerializeAsString());
  }
  model.clear_ir_version();
  EXPECT_EQ(apply(model, {"eliminate_identity"}, Repeat::stable).SerializeAsString(), model.SerializeAsString());
}

TEST(Session, KeepsFunctionsAndModelFields) {
  auto model =
      parse_model(R"(<ir_version: 8, opset_import: ["" : 13, "local" : 1], producer_name: "me", model_version: 5>
    g (float[2] x) => (float[2] y) { y = local.f(x) }
    <domain: "local", opset_import: ["" : 13]> f (i) => (o) { o = Identity(i) })");
  auto* entry = model.add_metadata_props();
  entry->set_key("k");
  entry->set_value("v");
  const auto out = apply(model, {"eliminate_identity"});
  EXPECT_EQ(out.SerializeAsString(), onnx::optimization::Optimize(model, {"eliminate_identity"}).SerializeAsString());
  EXPECT_EQ(out.functions_size(), 1);
  EXPECT_EQ(out.producer_name(), "me");
  EXPECT_EQ(out.metadata_props_size(), 1);
}

TEST(Session, ThrowsWhatTheLibraryThrows) {
  EXPECT_ANY_THROW(apply(with_identities(), {"no_such_pass"}));
  EXPECT_ANY_THROW(make_onnx_optimizer()->import(with_identities(), {})->may_match("no_such_pass"));
  auto broken = with_identities();
  broken.mutable_graph()->mutable_node(0)->set_input(0, "nowhere");
  EXPECT_ANY_THROW(make_onnx_optimizer()->import(broken, {}));
}

TEST(Session, ServesOneRecipe) {
  const auto session = make_onnx_optimizer()->import(with_identities(), {});
  session->apply({});
  EXPECT_THROW(session->apply({}), std::logic_error);
}

/// An ArgMax behind `count` Exp: each visit of eliminate_nop_monotone_argmax takes one of them away.
ModelProto argmax_of_exps(int count) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (float[2,3] x) => (int64[2,1] y) { y = ArgMax <axis = 1> (x) })");
  auto* nodes = model.mutable_graph()->mutable_node();
  const onnx::NodeProto argmax = nodes->Get(0);
  nodes->Clear();
  for (int i = 0; i < count; ++i) {
    auto* exp = nodes->Add();
    exp->set_op_type("Exp");
    exp->add_input(i == 0 ? "x" : "e" + std::to_string(i - 1));
    exp->add_output("e" + std::to_string(i));
  }
  *nodes->Add() = argmax;
  nodes->Mutable(count)->set_input(0, "e" + std::to_string(count - 1));
  return model;
}

TEST(Session, RepeatsAsAsked) {
  const auto model = argmax_of_exps(8);
  const std::vector<std::string> passes{"eliminate_nop_monotone_argmax"};
  const auto once = apply(model, passes);
  const auto library = apply(model, passes, Repeat::library);
  EXPECT_EQ(once.SerializeAsString(), onnx::optimization::Optimize(model, passes).SerializeAsString());
  EXPECT_EQ(library.SerializeAsString(), onnx::optimization::OptimizeFixed(model, passes).SerializeAsString());
  EXPECT_EQ(once.graph().node_size(), 8);
  EXPECT_EQ(library.graph().node_size(), 1);
  EXPECT_THAT(ops(apply(model, passes, Repeat::stable)), testing::ElementsAre("ArgMax"));
}

TEST(Session, StableGivesUpAfterAHundredRounds) {
  const auto stable = apply(argmax_of_exps(150), {"eliminate_nop_monotone_argmax"}, Repeat::stable);
  EXPECT_EQ(stable.graph().node_size(), 51);
}

/// The library's fixpoint is driven by three passes only: for others it stops after one round.
TEST(Session, StableGoesOnWhereTheLibraryStops) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
    g (float[4] x) => (float[4] y) { a = Relu(x) b = Relu(a) c = Relu(b) d = Relu(c) e = Relu(d) y = Neg(e) })");
  const std::vector<std::string> passes{"eliminate_deadend", "eliminate_consecutive_idempotent_ops"};
  const auto library = apply(model, passes, Repeat::library);
  const auto stable = apply(model, passes, Repeat::stable);
  EXPECT_EQ(library.SerializeAsString(), onnx::optimization::OptimizeFixed(model, passes).SerializeAsString());
  EXPECT_GT(library.graph().node_size(), 2);
  EXPECT_THAT(ops(stable), testing::ElementsAre("Relu", "Neg"));
  EXPECT_EQ(fingerprint(stable), fingerprint(apply(stable, passes)));
}

TEST(Session, StableRoundTripIsTheRoundTrip) {
  const auto model = with_identities();
  EXPECT_EQ(apply(model, {}, Repeat::stable).SerializeAsString(), apply(model, {}).SerializeAsString());
}

}  // namespace
}  // namespace culprit
