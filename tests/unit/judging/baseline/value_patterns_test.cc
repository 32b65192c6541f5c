// What is wished for at places, and which samples have it.
#include "baseline/directed/value_patterns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "baseline/directed/candidate_samples.h"
#include "baseline/directed/samples_to_vary.h"
#include "baseline/directed/wishes_of_passes.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

TEST(Bases, ThoseThatComeToMostAreFirstAndThoseThatComeToNoneAreLeftOut) {
  EXPECT_THAT(bases_of({{}, {"a"}, {"b"}, {"a"}, {}}), ElementsAre(3U, 2U, 1U));
  EXPECT_THAT(bases_of({{"a", "b"}, {"a"}, {"c"}}), ElementsAre(0U, 2U, 1U));
  EXPECT_THAT(bases_of({{}, {}}), IsEmpty());
}

TEST(Coverage, TheCandidateThatAddsMostIsChosenAndNoneThatAddsNothing) {
  EXPECT_THAT(most_telling({{1, 2}, {1, 2, 3}, {3}}, {1}, {}, 3), ElementsAre(1U));
  EXPECT_THAT(most_telling({{1, 2, 3}, {9}}, {}, {9}, 1), ElementsAre(1U)) << "what is wished counts more";
  EXPECT_THAT(most_telling({{1}}, {1}, {}, 1), IsEmpty());
}

TEST(Coverage, PatternsTellZerosTiesAndWindowsBelowZero) {
  const auto has = [](const Tensor& tensor, Wish wish) {
    const Patterns found = patterns_of(tensor, 3);
    return std::ranges::includes(found, patterns_wished(wish, 3));
  };
  EXPECT_TRUE(has(Tensor::of<float>({2}, {0.0F, -0.0F}), Wish::signed_zeros));
  EXPECT_FALSE(has(Tensor::of<float>({2}, {0.0F, 1.0F}), Wish::signed_zeros));
  EXPECT_TRUE(has(Tensor::of<float>({1, 3}, {1, 4, 4}), Wish::ties));
  EXPECT_FALSE(has(Tensor::of<float>({1, 3}, {1, 1, 4}), Wish::ties));
  EXPECT_TRUE(has(Tensor::of<float>({1, 1, 2, 2}, {-1, -1, -1, -1}), Wish::negative_border));
  EXPECT_FALSE(has(Tensor::of<float>({1, 1, 2, 2}, {-1, -1, -1, 1}), Wish::negative_border));
}

TEST(Directions, OperatorsWantWhatTheirRewritesShow) {
  const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1,1,4,4] x, bool c) => (float[a,b,d,e] y)
      <int64[8] pads = {0,0,1,1,0,0,1,1}, float zero = {0}, float two = {2}> {
        p = Pad(x, pads) m = MaxPool<kernel_shape = [2,2]>(p) s = Add(m, zero) t = Mul(s, two) y = Where(c, t, m) })");
  const std::vector<Place> places = {{"fuse_pad_into_pool", "MaxPool", "m", {"p"}},
                                     {"eliminate_nop_with_unit", "Add", "s", {"m", "zero"}},
                                     {"eliminate_nop_with_unit", "Mul", "t", {"s", "two"}},
                                     {"w", "Where", "y", {"c", "t", "m"}}};
  std::vector<std::pair<std::string, Wish>> found;
  for (const Want& want : wants_of(places, proto)) found.emplace_back(want.value, want.wish);
  EXPECT_THAT(found, ElementsAre(std::pair{"x", Wish::negative_border}, std::pair{"m", Wish::signed_zeros},
                                 std::pair{"m", Wish::not_finite}, std::pair{"c", Wish::both_truths}));
  EXPECT_THAT(inputs_for_not_finite(proto.graph()), Not(Contains("x"))) << "a pool may do with a NaN what it likes";
}

TEST(Directions, PlacesInBodiesSayWhatTheirNodesMake) {
  const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (bool c, float[1,1,4,4] x) => (float y) {
      y = If(c) <then_branch = t () => (float p) { q = Constant<value = int64[8] {0,0,1,1,0,0,1,1}>()
                   r = Neg(x) s = Pad(r, q) p = MaxPool<kernel_shape = [2,2]>(s) },
                 else_branch = e () => (float o) { o = Exp(x) }> })");
  const std::vector<Place> places = {{"fuse_pad_into_pool", "MaxPool", "p", {"s"}}};
  const auto wants = wants_of(places, proto);
  ASSERT_EQ(wants.size(), 1U);
  EXPECT_EQ(wants[0].value, "r");
  EXPECT_EQ(wants[0].wish, Wish::negative_border);
  EXPECT_EQ(wants[0].inside, "p");
}

}  // namespace
}  // namespace culprit
