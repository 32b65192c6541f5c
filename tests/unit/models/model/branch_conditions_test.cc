#include "model/branch_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/free_integers.h"
#include "parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Sizes = std::map<std::string, std::vector<std::int64_t>>;

std::string graph(const std::string& inputs, const std::string& stored, const std::string& nodes) {
  return "<ir_version: 8, opset_import: [\"\" : 19, \"ai.onnx.ml\" : 3]> g (" + inputs + ") => (y) " + stored + " { " +
         nodes + " }";
}

Compared compared_in(const std::string& inputs, const std::string& stored, const std::string& nodes) {
  return compared_with(parse_model(graph(inputs, stored, nodes)));
}

TEST(Compared, NumbersAreSeenAsTheInputSeesThem) {
  const auto read = compared_in("float[n,3] x, int64[1] i", "<float two = {2}, float five = {5}, int64[1] seven = {7}>",
                                "a = Mul(x, two) b = Add(five, a) c = Transpose(b) y = Greater(c, five)"
                                " d = Sub(seven, i) z = LessOrEqual(d, seven) e = Neg(i) w = Equal(seven, e)");
  EXPECT_EQ(read.inputs, (std::map<std::string, ComparedNumbers>{{"x", {{0}}}, {"i", {{-7, 0}, false, {-7}}}}));
  EXPECT_THAT(read.sizes, IsEmpty());
}

TEST(Compared, TheLargestOfAllIsToldApart) {
  const auto read = compared_in("float[n] x", "<float five = {5}>", "a = Abs(x) b = ReduceMax(a) y = Less(b, five)");
  EXPECT_EQ(read.inputs, (std::map<std::string, ComparedNumbers>{{"x", {{-5, 5}, true, {-5, 5}}}}));
}

TEST(Compared, BodiesAndConstantsOfNodesAreRead) {
  const auto read =
      compared_in("float x, bool c", "",
                  "y = If (c) <then_branch = t () => (bool p) { k = Constant <value = float {3}> () p = "
                  "Greater(x, k) }, else_branch = e () => (bool q) { m = Constant <value_float = 4.0> () q = "
                  "Less(m, x) }>");
  EXPECT_THAT(read.inputs.at("x").numbers, ElementsAre(3, 4));
}

TEST(Compared, LengthsByGatherSliceAndSize) {
  const std::string inputs = "float[batch,3,length] x, float[2,rows] z";
  const std::string stored = "<int64 two = {2}, int64[1] last = {-1}, int64[1] end = {9}, int64 forty = {40}>";
  EXPECT_EQ(compared_in(inputs, stored, "s = Shape(x) l = Gather(s, two) y = Greater(l, forty)").sizes,
            (Sizes{{"length", {40}}}));
  EXPECT_EQ(compared_in(inputs, stored,
                        "r = Relu(x) s = Shape(r) l = Slice(s, last, end) f = Cast<to = 1>(l) "
                        "g = Cast<to = 1>(forty) y = Less(g, f)")
                .sizes,
            (Sizes{{"length", {40}}}));
  EXPECT_EQ(
      compared_in(inputs, stored, "s = Shape<start = 2>(x) l = Squeeze(s) m = Add(l, two) y = Equal(m, forty)").sizes,
      (Sizes{{"length", {38}}}));
  EXPECT_EQ(compared_in(inputs, stored, "s = Shape(x) y = Equal(s, forty)").sizes, Sizes{}) << "any place may be meant";
  EXPECT_EQ(compared_in(inputs, stored, "s = Size(z) y = Equal(s, forty)").sizes, (Sizes{{"rows", {20}}}));
  EXPECT_EQ(compared_in(inputs, stored, "s = Size(x) y = Equal(s, forty)").sizes, Sizes{}) << "two sizes are open";
}

TEST(Compared, LengthsOfWhatIsLookedUpInATable) {
  const auto read =
      compared_in("int64[batch,tokens] ids",
                  "<float[5,2] table = {1,2,3,4,5,6,7,8,9,0}, int64 one = {1}, int64 two = {2}, int64 n = {8}>",
                  "e = Gather(table, ids) s = Shape(e) l = Gather(s, one) y = Greater(l, n)");
  EXPECT_EQ(read.sizes, (Sizes{{"tokens", {8}}}));
}

TEST(Compared, WordsBesideEqualAndThoseOfEncoders) {
  const auto read =
      compared_in("string[1] a, string[n] b", "<string[1] fi = {\"fi\"}>",
                  "y = Equal(fi, a) z = ai.onnx.ml.LabelEncoder <keys_strings = [\"x\", \"y\"], values_int64s "
                  "= [1, 2]> (b)");
  EXPECT_THAT(read.words.at("a"), ElementsAre("fi"));
  EXPECT_THAT(read.words.at("b"), ElementsAre("x", "y"));
}

TEST(Compared, AGraphInCirclesEnds) {
  EXPECT_THAT(
      compared_in("float x", "<float one = {1}>",
                  "a = Where(c, b, b) b = Where(c, a, a) c = Greater(a, one) s = Shape(d) d = Relu(d) l = Gather(s, "
                  "one) y = Less(l, one)")
          .inputs,
      IsEmpty());
}

TEST(Steering, IntegersThatAreOnlyReckonedWith) {
  const auto plain = [](const std::string& nodes) {
    return integers_that_steer_nothing(
        parse_model(graph("int32[3] a, int64[3] b, float[3] f", "<int64[9] t = {1,2,3,4,5,6,7,8,9}>", nodes)));
  };
  EXPECT_THAT(plain("c = Cast<to = 1>(a) d = Shape(b) e = Gather(t, d) y = Add(c, f)"), ElementsAre("a", "b"));
  EXPECT_THAT(plain("c = Mul(b, b) y = Gather(t, c)"), ElementsAre("a"));
  EXPECT_THAT(plain("c = Cast<to = 1>(a) d = Floor(c) e = Cast<to = 7>(d) y = Gather(t, e)"), ElementsAre("b"));
  EXPECT_THAT(plain("y = other.Op(a) z = Loop(b, , f) <body = l (i, c, s) => (c, s) {}>"), IsEmpty());
}

}  // namespace
}  // namespace culprit
