#include "conversion/sides/ways.h"

#include <gmock/gmock.h>

#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const char* const diamond = R"(
diamond (float[2,3] x, float[2,3] z) => (float[2,3] y)
<float[3] w = {1, 2, 3}>
{
  turned = Neg(w)
  a = Add(x, turned)
  left = Relu(a)
  right = Sigmoid(a)
  y = Mul(left, right)
  aside = Neg(z)
})";

struct Diamond {
  Network network = network_of(diamond);
  Ways ways{network};
  [[nodiscard]] int operator()(const std::string& name) const { return value_named(network, name); }
};

TEST(Ways, WhatFollowsFromConstantsAlone) {
  const Diamond d;
  const auto follows = follows_from_constants(d.network);
  EXPECT_TRUE(follows[static_cast<std::size_t>(d("w"))]);
  EXPECT_TRUE(follows[static_cast<std::size_t>(d("turned"))]);
  EXPECT_FALSE(follows[static_cast<std::size_t>(d("x"))]);
  EXPECT_FALSE(follows[static_cast<std::size_t>(d("a"))]);
}

TEST(Ways, RandomNumbersAreNoConstants) {
  const Network network = network_of(R"(
g (float[2] x) => (float[2] y)
{
  c = Constant<value_floats = [1.0, 2.0]>()
  r = RandomNormal<shape = [2]>()
  s = Add(c, r)
  y = Add(x, s)
})");
  const auto follows = follows_from_constants(network);
  EXPECT_TRUE(follows[static_cast<std::size_t>(value_named(network, "c"))]);
  EXPECT_FALSE(follows[static_cast<std::size_t>(value_named(network, "r"))]);
  EXPECT_FALSE(follows[static_cast<std::size_t>(value_named(network, "s"))]);
}

TEST(Ways, WhatIsBehindWhat) {
  const Diamond d;
  EXPECT_TRUE(d.ways.is_behind(d("y"), d("x")));
  EXPECT_TRUE(d.ways.is_behind(d("left"), d("a")));
  EXPECT_FALSE(d.ways.is_behind(d("left"), d("right")));
  EXPECT_FALSE(d.ways.is_behind(d("x"), d("y")));
  EXPECT_FALSE(d.ways.is_behind(d("y"), d("y")));
  EXPECT_FALSE(d.ways.is_behind(d("a"), d("w"))) << "constants lead nowhere";
  EXPECT_FALSE(d.ways.is_behind(d("aside"), d("x")));
}

TEST(Ways, UsersThatAnotherValueFollowsFrom) {
  const Diamond d;
  EXPECT_THAT(d.ways.users_before(d("a"), d("left")), SizeIs(1));
  EXPECT_THAT(d.ways.users_before(d("a"), d("y")), SizeIs(2));
  EXPECT_THAT(d.ways.users_before(d("a"), d("x")), SizeIs(0));
}

TEST(Ways, DepthsAreThoseOfTheShortestWay) {
  const Diamond d;
  EXPECT_THAT(d.ways.behind(d("x"), 2),
              ElementsAre(Pair(d("x"), 0), Pair(d("a"), 1), Pair(d("left"), 2), Pair(d("right"), 2)));
  EXPECT_EQ(d.ways.behind(d("x"), 9).at(d("y")), 3);
}

TEST(Ways, NeighboursWithoutConstants) {
  const Diamond d;
  EXPECT_THAT(d.ways.before(d("a")), ElementsAre(d("x")));
  EXPECT_THAT(d.ways.next(d("a")), ElementsAre(d("left"), d("right")));
  EXPECT_THAT(d.ways.before(d("x")), IsEmpty());
  EXPECT_THAT(d.ways.before(d("turned")), IsEmpty());
}

TEST(Ways, BackwardsUntilWhatIsKnown) {
  const Diamond d;
  EXPECT_THAT(d.ways.back_to(d("y"), {d("a")}), ElementsAre(d("left"), d("right"), d("y")));
  EXPECT_THAT(d.ways.borders(d("y"), {d("a")}), ElementsAre(d("a")));
  EXPECT_THAT(d.ways.borders(d("y"), {d("left"), d("a"), d("z")}), ElementsAre(d("a"), d("left")));
  EXPECT_THAT(d.ways.back_to(d("y"), {d("y")}), IsEmpty());
  EXPECT_THAT(d.ways.borders(d("y"), {d("y")}), ElementsAre(d("y")));
}

TEST(Ways, PlacesFollowTheNetworkAndNotNumbers) {
  Network network;  // value 2 is the input, 0 is made of it, 1 of 0
  network.values.resize(3);
  network.values[0].made_by = 0;
  network.values[1].made_by = 1;
  network.inputs = {2};
  network.outputs = {1};
  network.layers.resize(2);
  network.layers[0].inputs = {2};
  network.layers[0].outputs = {0};
  network.layers[1].inputs = {0};
  network.layers[1].outputs = {1};
  const Ways ways(network);
  EXPECT_THAT(ways.values(), ElementsAre(2, 0, 1));
  EXPECT_EQ(ways.place(2), 0);
  EXPECT_TRUE(ways.is_behind(1, 2));
  EXPECT_THAT(ways.back_to(1, {}), ElementsAre(2, 0, 1));
}

TEST(Ways, ManyValuesAreToldApart) {
  std::string graph = "g (float[1] v0) => (float[1] v200)\n{\n";
  for (int i = 0; i < 200; ++i) graph += "v" + std::to_string(i + 1) + " = Relu(v" + std::to_string(i) + ")\n";
  const Network network = network_of(graph + "}");
  const Ways ways(network);
  EXPECT_TRUE(ways.is_behind(value_named(network, "v200"), value_named(network, "v0")));
  EXPECT_TRUE(ways.is_behind(value_named(network, "v130"), value_named(network, "v129")));
  EXPECT_FALSE(ways.is_behind(value_named(network, "v64"), value_named(network, "v65")));
}

TEST(Ways, WhatOnlyMovesNumbers) {
  NetworkLayer layer;
  for (const char* type : {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Cast", "Dropout"}) {
    layer.type = type;
    EXPECT_TRUE(is_mover(layer) && keeps_order(layer)) << type;
  }
  layer.type = "Transpose";
  EXPECT_TRUE(is_mover(layer));
  EXPECT_FALSE(keeps_order(layer));
  layer.type = "Relu";
  EXPECT_FALSE(is_mover(layer) || keeps_order(layer));
}

}  // namespace
}  // namespace culprit
