#include "model/body_inputs.h"

#include <gtest/gtest.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

TEST(BodyInputs, OfALoopAreWhatItCarriesAndNeitherItsTurnNorItsCondition) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, int64 n) => (float[2] y) {
      y = Loop(n, "", x) <body = b (int64 i, bool c, float[2] s) => (bool d, float[2] t) {
          t = Loop(n, "", s) <body = deep (int64 j, bool e, float[2] u) => (bool f, float[2] v) {
              f = Identity(e) v = Exp(u) }>
          d = Identity(c) }> })");
  const auto inputs = body_inputs(model.graph());
  EXPECT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs.at("s").outside, "x");
  EXPECT_EQ(inputs.at("u").outside, "s");
  EXPECT_FALSE(inputs.at("s").axis);
}

TEST(BodyInputs, OfAScanAreWhatItCarriesAndSlices) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[2] x, float[4,2] r, float[2,4] q) => (float[2] y, float[4,2] z) {
      y, z = Scan<num_scan_inputs = 2, scan_input_axes = [0, 1], scan_input_directions = [0, 1],
          body = b (float[2] s, float[2] e, float[2] f) => (float[2] t, float[2] u) {
              t = Add(s, e) u = Add(t, f) }>(x, r, q) })");
  const auto inputs = body_inputs(model.graph());
  EXPECT_EQ(inputs.size(), 3U);
  EXPECT_EQ(inputs.at("s").outside, "x");
  EXPECT_FALSE(inputs.at("s").axis);
  EXPECT_EQ(inputs.at("e").outside, "r");
  EXPECT_EQ(inputs.at("e").axis, 0);
  EXPECT_FALSE(inputs.at("e").is_backward);
  EXPECT_EQ(inputs.at("f").axis, 1);
  EXPECT_TRUE(inputs.at("f").is_backward);
}

TEST(BodyInputs, OfAnotherDomainAndOfAScanOfOpset8AreNotKnown) {
  const auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 8, "house" : 1]>
      g (float[1,2] x, float[1,4,2] r) => (float[1,2] y, float[1,4,2] z, float[1,2] w) {
      y, z = Scan<num_scan_inputs = 1, body = b (float[2] s, float[2] e) => (float[2] t, float[2] u) {
          t = Add(s, e) u = Neg(t) }>("", x, r)
      w = house.Loop("", "", x) <body = c (int64 i, bool k, float[2] o) => (bool l, float[2] p) {
          l = Identity(k) p = Exp(o) }> })");
  EXPECT_TRUE(body_inputs(model.graph()).empty());
}

}  // namespace
}  // namespace culprit
