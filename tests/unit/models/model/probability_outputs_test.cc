#include "model/probability_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(ProbabilityOutputs, AreKnownByTheLastOperators) {
  const auto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 19]> g (float[2,2] x) => (float[n] a, float[n] b, float[n] c, float[n] d, "
      "float[n] e, float[n] f) <float[2,2] w = {1, 0, 0, 1}, float[1] one = {1}> { "
      "p = MatMul(x, w) q = Sigmoid(p) a = Transpose(q) "
      "r = Add(p, one) b = Identity(r) "
      "c = LogSoftmax(r) "
      "d = Sub(one, q) "  // 1 - p is one, but that takes more than a look
      "e = Relu(p) "
      "s = Mul(q, p) f = Squeeze(s) }");
  EXPECT_THAT(probability_outputs(model.graph()),
              ElementsAre(Pair("a", true), Pair("b", false), Pair("c", false), Pair("f", false)));
}

}  // namespace
}  // namespace culprit
