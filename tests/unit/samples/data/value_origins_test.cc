// Where elements come from is right if the elements that it names, scaled and shifted, are the values that the graph
// makes of the sample: computed here by hand.
#include "data/value_origins.h"

#include <gtest/gtest.h>

#include "data/wished_values.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

class OriginsOf : public testing::Test {
 protected:
  /// The values that `value` takes, by its origins; empty where it has none.
  std::vector<double> values(const std::string& nodes, const std::string& value, const std::string& weights = "") {
    model_ = parse_model("<ir_version: 8, opset_import: [\"\" : 13]> g (float[1,2,3] x) => (float y) " + weights +
                         "{ " + nodes + " }");
    OriginFinder finder(model_.graph(), sample_);
    const Origins* origins = finder.of(value);
    std::vector<double> found;
    if (origins == nullptr) return found;
    shape_ = origins->shape;
    for (const ElementOrigin& origin : origins->elements) {
      const bool is_fixed = origin.input == ElementOrigin::constant;
      found.push_back((is_fixed ? 0 : origin.scale * sample_[0].value.number(origin.index)) + origin.offset);
    }
    return found;
  }

  std::vector<NamedTensor> sample_ = {{"x", Tensor::of<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6})}};
  onnx::ModelProto model_;
  Shape shape_;
};

using Values = std::vector<double>;

TEST_F(OriginsOf, MovementIsFollowed) {
  EXPECT_EQ(values("y = Transpose<perm = [0, 2, 1]>(x)", "y"), (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(values("y = Reshape(x, s)", "y", "<int64[2] s = {3, -1}>"), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(shape_, (Shape{3, 2}));
  EXPECT_EQ(values("y = Slice(x, a, b, c)", "y", "<int64[1] a = {1}, int64[1] b = {3}, int64[1] c = {2}>"),
            (Values{2, 3, 5, 6}));
  EXPECT_EQ(values("y = Concat<axis = 1>(x, k)", "y", "<float[1,1,3] k = {7, 8, 9}>"),
            (Values{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(values("y = Gather<axis = 2>(x, i)", "y", "<int64[2] i = {2, 0}>"), (Values{3, 1, 6, 4}));
  EXPECT_EQ(values("y = Flatten<axis = 2>(x)", "y"), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(shape_, (Shape{2, 3}));
}

TEST_F(OriginsOf, APadPutsConstantsAround) {
  EXPECT_EQ(values("y = Pad(x, p, v)", "y", "<int64[6] p = {0, 0, 1, 0, 0, 0}, float v = {9}>"),
            (Values{9, 1, 2, 3, 9, 4, 5, 6}));
  EXPECT_TRUE(values("y = Pad<mode = \"edge\">(x, p)", "y", "<int64[6] p = {0, 0, 1, 0, 0, 0}>").empty());
}

TEST_F(OriginsOf, ArithmeticWithConstantsIsFollowedOnBothSides) {
  EXPECT_EQ(values("t = Mul(x, k) y = Sub(c, t)", "y", "<float[3] k = {1, 2, 4}, float c = {10}>"),
            (Values{9, 6, -2, 6, 0, -14}));
  EXPECT_EQ(values("t = Div(x, c) y = Neg(t)", "y", "<float c = {2}>"), (Values{-0.5, -1, -1.5, -2, -2.5, -3}));
  EXPECT_TRUE(values("y = Add(x, x)", "y").empty());
  EXPECT_TRUE(values("y = Div(c, x)", "y", "<float c = {2}>").empty());
}

TEST_F(OriginsOf, ABatchNormalizationIsAffineByChannel) {
  const auto found = values("y = BatchNormalization<epsilon = 0.0>(x, s, b, m, v)", "y",
                            "<float[2] s = {2, 3}, float[2] b = {1, 0}, float[2] m = {1, 4}, float[2] v = {4, 9}>");
  EXPECT_EQ(found, (Values{1, 2, 3, 0, 1, 2}));
}

TEST_F(OriginsOf, WhatComputesIsNotFollowed) {
  EXPECT_TRUE(values("y = Sigmoid(x)", "y").empty());
  EXPECT_TRUE(values("t = Relu(x) y = Neg(t)", "y").empty()) << "its lower end would be its upper one";
  EXPECT_TRUE(values("y = Cast<to = 7>(x)", "y").empty());
  EXPECT_TRUE(values("y = Identity(x)", "z").empty());
}

TEST_F(OriginsOf, BodiesAreFollowedIntoTheirFirstTurn) {
  const std::string loop = R"(
      t = Neg(x)
      y = Loop(n, "", t) <body = b (int64 i, bool c, float[1,2,3] s) => (bool d, float[1,2,3] o) {
        two = Constant<value = float {2}>() d = Identity(c) o = Mul(s, two) }>)";
  EXPECT_EQ(values(loop, "o", "<int64 n = {3}>"), (Values{-2, -4, -6, -8, -10, -12}));
  EXPECT_TRUE(values(loop, "y", "<int64 n = {3}>").empty()) << "of how many turns is not known";
  EXPECT_EQ(values(R"(y = If(c) <then_branch = a () => (float[1,2,3] p) { p = Neg(x) },
                                else_branch = b () => (float[1,2,3] q) { q = Exp(x) }>)",
                   "p", "<bool c = {1}>"),
            (Values{-1, -2, -3, -4, -5, -6}));
}

TEST_F(OriginsOf, AScanGivesItsBodyOneSlice) {
  const auto scan = [](const std::string& how) {
    return "y = Scan<num_scan_inputs = 1, " + how + "body = b (float[1,2] e) => (float[1,2] o) { o = Neg(e) }>(x)";
  };
  EXPECT_EQ(values(scan("scan_input_axes = [2], "), "o"), (Values{-1, -4}));
  EXPECT_EQ(shape_, (Shape{1, 2}));
  EXPECT_EQ(values(scan("scan_input_axes = [-1], scan_input_directions = [1], "), "o"), (Values{-3, -6}));
  EXPECT_EQ(values(scan(""), "o"), (Values{-1, -2, -3, -4, -5, -6}));
}

TEST_F(OriginsOf, AWishIsGrantedByTheInput) {
  model_ = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3] x) => (float y)
      <float half = {0.5}, float one = {1}> { a = Mul(x, half) b = Add(a, one) y = Transpose<perm = [2, 1, 0]>(b) })");
  OriginFinder finder(model_.graph(), sample_);
  Edits edits;
  EXPECT_EQ(grant(*finder.of("y"), {{1, -3.0}, {4, 5.0}}, edits), 2U);
  const Tensor changed = edited(sample_, edits)[0].value;
  EXPECT_TRUE(changed.identical(Tensor::of<float>({1, 2, 3}, {1, 2, 8, -8, 5, 6})));
}

TEST_F(OriginsOf, NothingBelowZeroIsAskedOfARelu) {
  model_ = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3] x) => (float y) { y = Relu(x) })");
  OriginFinder finder(model_.graph(), sample_);
  Edits edits;
  EXPECT_EQ(grant(*finder.of("y"), {{0, -3.0}, {1, -0.0}, {2, 0.25}}, edits), 1U);
}

}  // namespace
}  // namespace culprit
