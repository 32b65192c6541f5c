#include "model/operators_differ.h"

#include "parse.h"

namespace culprit {
namespace {

onnx::ModelProto computing(const std::string& nodes) {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[4] x) => (float[4] y) <float one = {1}> { )" +
                     nodes + " }");
}

TEST(OperatorsDiffer, WhereOneModelComputesByOthers) {
  const auto accurate = computing("y = Softplus(x)"), textbook = computing("e = Exp(x) p = Add(e, one) y = Log(p)");
  EXPECT_TRUE(operators_differ(accurate, textbook));
  EXPECT_TRUE(operators_differ(computing("y = Add(x, one)"), computing("a = Add(x, one) y = Add(a, one)")));
}

TEST(OperatorsDiffer, NotWhereElementsAreOnlyMovedOrNodesStandInAnotherOrder) {
  EXPECT_FALSE(operators_differ(computing("y = Exp(x)"), computing("i = Identity(x) y = Exp(i)")));
  EXPECT_FALSE(operators_differ(computing("a = Exp(x) b = Tanh(x) y = Add(a, b)"),
                                computing("b = Tanh(x) a = Exp(x) y = Add(b, a)")));
}

TEST(OperatorsDiffer, InBranchesToo) {
  const auto with = [&](const std::string& branch) {
    return computing("f = Cast<to = 6>(x) d = Cast<to = 9>(one) y = If (d) <then_branch = t () => (float[4] o) { " +
                     branch + " }, else_branch = e () => (float[4] p) { p = Neg(x) }>");
  };
  EXPECT_TRUE(operators_differ(with("o = Softplus(x)"), with("o = Exp(x)")));
}

}  // namespace
}  // namespace culprit
