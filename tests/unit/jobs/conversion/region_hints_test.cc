#include "conversion/faults/region_hints.h"

#include "evidence_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class RegionHints : public EvidenceBench {};

/// It says what differs, never what should be, and no two numbers for one.
TEST_F(RegionHints, HintsOfARegionAreNoVerdicts) {
  take("g (float[2,4] x) => (float[2,4] y) { a = LeakyRelu <alpha = 0.5> (x) y = Softmax <axis = 0> (a) }",
       "g (float[2,4] x) => (float[2,4] y) { a = LeakyRelu <alpha = 0.25> (x) y = Softmax <axis = 1> (a) }");
  EXPECT_THAT(region_hints(task(), hyper_evidence(task(), paired_layers(task()))),
              ElementsAre("alpha of 'a' is 0.25 in the target, 0.5 in the source",
                          "axis of 'y' is 1 in the target, 0 in the source"));
  EditProposal one;
  one.strength = EditProposal::Strength::parameter;
  one.target_layer = 0;
  one.tensor = "w";
  one.evidence = {"elements", {{"wrong", 2}, {"of", 9}}, {{{}, {1, 0}, 3, 4}}, "[1,0] is 4, should be 3"};
  EXPECT_THAT(region_hints(task(), {one}),
              ElementsAre("2 of 9 numbers of 'w' differ: [1,0] is 4 in the target, 3 in the source"));
  EXPECT_THAT(region_hints(task(), {one, one}), ElementsAre("'w' has other numbers than the source"));
  std::vector<EditProposal> many(5, one);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].tensor += std::to_string(i);
  EXPECT_EQ(region_hints(task(), many).size(), 3U);
}

/// 1.702 of a sigmoid is no 0.5 of an Erf.
TEST_F(RegionHints, ASingleNumberIsNoHintAmongOtherOperators) {
  take("g (float[2,4] x) => (float[2,4] y) <float half = {0.5}> { a = Erf (x) y = Mul (a, half) }",
       "g (float[2,4] x) => (float[2,4] y) <float k = {1.702}> { a = Mul (x, k) y = Sigmoid (a) }");
  const auto proposals = hyper_evidence(task(), paired_layers(task()));
  EXPECT_FALSE(proposals.empty());
  EXPECT_THAT(region_hints(task(), proposals), IsEmpty());
}

TEST_F(RegionHints, WordsOfOneFormatAreNone) {
  const std::string graph = "g (float[2,4] x) => (float[2,4] y) { y = LeakyRelu (x) }";
  take(graph, graph);
  source.layers[0].hyper["pot_scale"] = std::int64_t{1};
  EXPECT_THAT(of_hyper(), ElementsAre("hyperparameter hyper pot_scale"));
  target.format = "another";
  EXPECT_THAT(of_hyper(), IsEmpty());
}

/// Axes are told as the target counts them.
TEST_F(RegionHints, AxesAreThoseOfTheTarget) {
  take("g (float[1,4,4,3] x) => (float[1,1,1,3] y) { y = ReduceMean <axes = [1, 2]> (x) }",
       "g (float[1,3,4,4] x) => (float[1,1,1,1] y) { y = ReduceMean <axes = [1, 2, 3]> (x) }");
  known[0].order.axes.axes = {0, 3, 1, 2};
  sketches_source[0].by_sample = {{.shape = {1, 4, 4, 3}, .count = 48}};
  sketches_target[0].by_sample = {{.shape = {1, 3, 4, 4}, .count = 48}};
  const auto proposals = hyper_evidence(task(), paired_layers(task()));
  ASSERT_EQ(proposals.size(), 1U);
  EXPECT_EQ(proposals[0].evidence.message, "axes is [1, 2, 3], should be [2, 3]");
}

}  // namespace
}  // namespace culprit
