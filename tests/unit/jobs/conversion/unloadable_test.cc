#include "conversion/faults/unloadable.h"

#include "side_bench.h"

namespace culprit {
namespace {

TEST(Unloadable, FindsTheFirstLayerByHalves) {
  int asked = 0;
  const auto bad = first_bad_layer(100, [&](std::size_t count) -> Result<PrefixOutcome> {
    ++asked;
    return PrefixOutcome{count <= 37, count < 60, "no"};
  });
  ASSERT_TRUE(bad.value());
  EXPECT_EQ((*bad)->layer, 37);
  EXPECT_TRUE((*bad)->loads);
  EXPECT_LE(asked, 9);
  EXPECT_FALSE(first_bad_layer(5, [](std::size_t) -> Result<PrefixOutcome> {
                 return PrefixOutcome{true, true, ""};
               }).value());
}

TEST(Unloadable, NegativePadsAreToldByThemselves) {
  const Network network = network_of(
      "g (float[1,1,4,4] x) => (float[1,1,3,3] y) { y = MaxPool <kernel_shape = [2,2], pads = [-1,0,0,0]> (x) }");
  const ConversionFault fault = unloadable_fault(network, {0, false, "words of a runtime"});
  EXPECT_EQ(fault.kind, FaultClass::hyperparameter);
  EXPECT_EQ(fault.target.attribute, "pads");
  EXPECT_FALSE(fault.confirmed);
}

}  // namespace
}  // namespace culprit
