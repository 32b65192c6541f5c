#include "conversion/sides/network_natures.h"

#include <gmock/gmock.h>

#include "side_bench.h"

namespace culprit {
namespace {

TEST(NetworkNatures, AreThoseOfTheModel) {
  const Network network = network_of(R"(
g (float[2] x) => (float[2] y, int64[1] z)
<float[2] w = {1, 2}>
{
  a = Floor(w)
  b = Add(x, a)
  c = Round(b)
  y = Relu(c)
  i = Cast<to = 7>(b)
  z = ArgMax<axis = 0>(b)
})");
  const auto natures = natures_of(network);
  const auto of = [&](const char* name) { return natures.at(static_cast<std::size_t>(value_named(network, name))); };
  EXPECT_EQ(of("x"), Nature::smooth);
  EXPECT_EQ(of("a"), Nature::smooth) << "it is made of weights alone";
  EXPECT_EQ(of("b"), Nature::smooth);
  EXPECT_EQ(of("c"), Nature::stepped);
  EXPECT_EQ(of("y"), Nature::stepped);
  EXPECT_EQ(of("i"), Nature::stepped);
  EXPECT_EQ(of("z"), Nature::named);
}

}  // namespace
}  // namespace culprit
