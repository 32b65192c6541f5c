#include "model/lead_to_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "parse.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(LeadToOutputs, ValuesOfOneOutputAlone) {
  const auto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 19]> g (float[n] x, bool c) => (float[n] y, float[n] z) "
      "{ a = Relu(x) b = Neg(a) d = Abs(a) y = Sin(b) "
      "z = If (c) <then_branch = t () => (float[n] p) { p = Cos(d) }, else_branch = e () => (float[n] q) { q = Neg(d) "
      "}> }");
  const auto of_z = values_that_lead_only_to(model.graph(), {"z"});
  EXPECT_THAT(of_z, Contains("d"));
  EXPECT_THAT(of_z, Contains("c"));
  EXPECT_THAT(of_z, Not(Contains("a"))) << "it leads to y as well";
  EXPECT_THAT(values_that_lead_only_to(model.graph(), {"y"}), ElementsAre("b", "y"));
  EXPECT_THAT(values_that_lead_only_to(model.graph(), {}), IsEmpty());
}

TEST(LeadToOutputs, WhatNoInputChangesIsConstant) {
  const auto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 19]> g (float[n] x) => (float[n] y, float[2] anchors, int64[1] size) "
      "<float[2] k = {1, 2}> { y = Relu(x) anchors = Neg(k) size = Shape(x) }");
  EXPECT_THAT(constant_outputs(model.graph()), ElementsAre("anchors", "size"));
}

}  // namespace
}  // namespace culprit
