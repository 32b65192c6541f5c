#include "model/input_uses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse.h"

namespace culprit {
namespace {

using testing::IsEmpty;

/// The uses of input `name` of a graph.
std::vector<Use> uses_of(const std::string& name, const std::string& graph, const std::string& after = "") {
  const auto uses = uses_of_inputs(parse_model("<ir_version: 8, opset_import: [\"\" : 17]> g " + graph + after));
  const auto found = uses.find(name);
  return found == uses.end() ? std::vector<Use>() : found->second;
}

Use only(const std::vector<Use>& uses) {
  EXPECT_EQ(uses.size(), 1U);
  return uses.empty() ? Use{UseKind::steps} : uses.front();
}

const std::string table = "<float[7,2] t = {0,0,0,0,0,0,0,0,0,0,0,0,0,0}, int64[1] one = {1}, int64 two = {2}>";

TEST(Uses, AnIndexStaysBelowTheRowsOfItsTable) {
  const Use use = only(uses_of("i", "(int64[n] i) => (float[n,2] y) " + table + " { y = Gather(t, i) }"));
  EXPECT_EQ(use.kind, UseKind::index);
  EXPECT_EQ(use.limit.value, 7);
  EXPECT_EQ(use.of, "t");
  EXPECT_EQ(use.op, "Gather");
}

TEST(Uses, AlongTheAxisThatIsGathered) {
  const Use use = only(uses_of("i", "(int64[n] i) => (float[7,n] y) " + table + " { y = Gather <axis = -1> (t, i) }"));
  EXPECT_EQ(use.limit.value, 2);
}

TEST(Uses, OfAnInputTheSizeIsAName) {
  const std::string graph = "{ y = Gather <axis = 1> (x, i) }";
  EXPECT_EQ(only(uses_of("i", "(float[2,len] x, int64[n] i) => (float[2,n] y) " + graph)).limit.name, "len");
}

TEST(Uses, ThroughWhatOnlyMovesElements) {
  const Use use = only(uses_of("i", "(int32[1,n] i) => (float[n,2] y) " + table +
                                        " { a = Cast <to = 7> (i) b = Squeeze(a) c = Unsqueeze(b, one) d = "
                                        "Transpose(c) e = Identity(d) y = Gather(t, e) }"));
  EXPECT_EQ(use.limit.value, 7);
  EXPECT_TRUE(use.is_whole);
}

TEST(Uses, WhatIsAddedOnTheWayCounts) {
  const Use use =
      only(uses_of("i", "(int64[n] i) => (float[n,2] y) " + table + " { j = Add(two, i) y = Gather(t, j) }"));
  EXPECT_EQ(use.offset, 2);
}

TEST(Uses, WhatIsComputedFromAnInputIsAnotherMatter) {
  EXPECT_THAT(uses_of("i", "(int64[n] i) => (float[n,2] y) " + table + " { j = Mod(i, two) y = Gather(t, j) }"),
              IsEmpty());
  EXPECT_THAT(uses_of("x", "(float[n] x) => (float[n] y) { y = Relu(x) }"), IsEmpty());
}

TEST(Uses, InTheBodiesOfIfLoopAndScan) {
  EXPECT_EQ(
      only(uses_of("i", "(bool c, int64[n] i) => (float[n,2] y) " + table +
                            " { y = If (c) <then_branch = a () => (float[n,2] p) { p = Gather(t, i) }, else_branch = b "
                            "() => (float[2] q) { q = Constant <value = float[2] {1, 2}> () }> }"))
          .limit.value,
      7);
  const std::string scan = "(int64[n] i, float[2] s) => (float[2] l) " + table +
                           " { l = Scan <num_scan_inputs = 1, body = b (float[2] before, int64 row) => (float[2] "
                           "after) { g = Gather(t, row) "
                           "after = Add(before, g) }> (s, i) }";
  EXPECT_EQ(only(uses_of("i", scan)).limit.value, 7);
  const std::string loop =
      "(int64 m, bool go, int64[n] i) => (int64[n] l) " + table +
      " { l = Loop (m, go, i) <body = b (int64 k, bool on, int64[n] before) => (bool again, int64[n] after) { again = "
      "Identity(on) g = Gather(t, before) after = Identity(before) }> }";
  EXPECT_EQ(only(uses_of("i", loop)).kind, UseKind::index);
  EXPECT_EQ(only(uses_of("m", loop)).kind, UseKind::trip_count);
  EXPECT_EQ(only(uses_of("go", loop)).kind, UseKind::going_on);
}

TEST(Uses, InFunctions) {
  const auto model =
      parse_model("<ir_version: 8, opset_import: [\"\" : 17, \"own\" : 1]> g (int64[n] i) => (float[n,2] y) " + table +
                  " { y = own.look(t, i) } <domain: \"own\", opset_import: [\"\" : 17]> look (data, at) => (row) { row "
                  "= Gather(data, "
                  "at) }");
  EXPECT_EQ(uses_of_inputs(model).at("i").at(0).limit.value, 7);
}

TEST(Uses, MasksAddOrChooseSomethingFarOut) {
  const std::string added =
      "(int64[1,n] m, float[1,n] s) => (float[1,n] y) <float one = {1}, float out = {-10000}> { f = Cast <to = 1> (m) "
      "r = "
      "Sub(one, f) b = Mul(r, out) y = Add(s, b) }";
  EXPECT_EQ(only(uses_of("m", added)).kind, UseKind::mask);
  const std::string chosen =
      "(bool[1,n] m, float[1,n] s) => (float[1,n] y) <float out = {-3.4e38}> { r = Not(m) y = Where(r, out, s) }";
  EXPECT_EQ(only(uses_of("m", chosen)).kind, UseKind::mask);
  const std::string other =
      "(bool[1,n] m, float[1,n] s) => (float[1,n] y) <float out = {0.5}> { y = Where(m, out, s) }";
  EXPECT_THAT(uses_of("m", other), IsEmpty()) << "any choice";
}

TEST(Uses, NumbersItIsComparedWith) {
  const Use one = only(uses_of("r", "(int64 r) => (bool y) <int64 rate = {16000}> { y = Equal(r, rate) }"));
  EXPECT_EQ(one.kind, UseKind::compared_to_one);
  EXPECT_EQ(one.low, 16000);
  const Use many =
      only(uses_of("b", "(int32[n,1] b) => (bool[n,3] y) <int32[3] all = {4, 0, 9}> { y = Equal(b, all) }"));
  EXPECT_EQ(many.kind, UseKind::compared_to_many);
  EXPECT_EQ(many.high, 9);
}

TEST(Uses, SettingsKnowTheDataThatTheyConcern) {
  const std::string graph =
      "(float[5,8] x, int64[1] k, int64[2] s, int64 d) => (float[5,n] v) <float[1] zero = {0}> { v, w = TopK(x, k) r = "
      "Reshape(x, s) c = Concat <axis = 0> (s, k) e = Expand(zero, c) }";
  EXPECT_EQ(uses_of("k", graph).at(0).kind, UseKind::length);
  EXPECT_EQ(uses_of("k", graph).at(0).limit.value, 8);
  EXPECT_EQ(uses_of("k", graph).at(1).kind, UseKind::expand_to);
  EXPECT_FALSE(uses_of("k", graph).at(1).is_whole);
  EXPECT_EQ(uses_of("s", graph).at(0).shape.at(1).value, 8);
}

TEST(Uses, AnAxisBeyondTheRankIsNoMatter) {
  EXPECT_FALSE(only(uses_of("i", "(int64[n] i) => (float[n,2] y) " + table + " { y = Gather <axis = 9> (t, i) }"))
                   .limit.value.has_value());
}

std::map<std::string, std::int64_t> needed(const std::string& graph) {
  return sizes_needed(parse_model("<ir_version: 8, opset_import: [\"\" : 17]> g " + graph));
}

TEST(SizesNeeded, WhatIsSqueezedAwayIsOne) {
  EXPECT_EQ(
      needed("(float[a,b,c] x) => (float[b] y) <int64[1] last = {-1}, int64[1] first = {0}> { t = Squeeze(x, last) "
             "y = Squeeze(t, first) }"),
      (std::map<std::string, std::int64_t>{{"a", 1}, {"c", 1}}));
}

TEST(SizesNeeded, WeightsSayHowWideTheirDataAre) {
  const std::string six = " = {1,2,3,4,5,6}";
  EXPECT_EQ(needed("(float[n,d] x) => (float[n,2] y) <float[3,2] w" + six + "> { y = MatMul(x, w) }").at("d"), 3);
  EXPECT_EQ(
      needed("(float[n,d] x) => (float[n,2] y) <float[2,3] w" + six + "> { y = Gemm <transB = 1> (x, w) }").at("d"), 3);
  EXPECT_EQ(needed("(float[n,c,h] x) => (float[n,2,h] y) <float[2,3,1] w" + six + "> { y = Conv(x, w) }"),
            (std::map<std::string, std::int64_t>{{"c", 3}}));
  EXPECT_EQ(needed("(float[n,d,e] x) => (float[n,3,2] y) <float[3,2] w" + six + "> { r = Relu(x) y = Add(w, r) }"),
            (std::map<std::string, std::int64_t>{{"d", 3}, {"e", 2}}));
}

TEST(SizesNeeded, NotWhatOneBranchAloneAsksFor) {
  EXPECT_TRUE(
      needed("(bool b, float[n,d] x) => (float[n,d] y) <float[3] w = {1,2,3}> { y = If (b) <then_branch = t () => "
             "(float[n,d] p) { p = Add(x, w) }, else_branch = e () => (float[n,d] q) { q = Neg(x) }> }")
          .empty());
}

}  // namespace
}  // namespace culprit
