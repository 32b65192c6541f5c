// Which outputs are fed back as inputs, by their names.
#include "model/state_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ValueInfo floats_called(const std::string& name, const std::vector<Dim>& dims) {
  ValueInfo value;
  value.name = name;
  value.dtype = DType::f32;
  value.has_shape = true;
  value.dims = dims;
  return value;
}

const std::vector<Dim> of_state{{2, ""}, {std::nullopt, "batch"}, {128, ""}};

Interface interface_of(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  Interface interface;
  for (const std::string& name : inputs) interface.inputs.push_back(floats_called(name, of_state));
  for (const std::string& name : outputs) interface.outputs.push_back(floats_called(name, of_state));
  return interface;
}

TEST(StatePairs, SilerosStateIsFound) {
  EXPECT_THAT(state_pairs(interface_of({"input", "state"}, {"output", "stateN"})),
              ElementsAre(StatePair{"state", "stateN"}));
}

TEST(StatePairs, SoAreThoseOfRecurrentNets) {
  EXPECT_THAT(state_pairs(interface_of({"x", "h0", "c0"}, {"y", "hn", "cn"})),
              ElementsAre(StatePair{"h0", "hn"}, StatePair{"c0", "cn"}));
  EXPECT_THAT(state_pairs(interface_of({"x", "hx", "cx"}, {"y", "hy", "cy"})),
              ElementsAre(StatePair{"hx", "hy"}, StatePair{"cx", "cy"}));
  EXPECT_THAT(state_pairs(interface_of({"hidden_in", "cell_in"}, {"new_hidden", "cell_out"})),
              ElementsAre(StatePair{"hidden_in", "new_hidden"}, StatePair{"cell_in", "cell_out"}));
}

TEST(StatePairs, CachesAreFoundLayerByLayer) {
  EXPECT_THAT(state_pairs(interface_of({"past_key_values.0.key", "past_key_values.1.key", "past_key_values.0.value"},
                                       {"present.0.key", "present.0.value", "present.1.key"})),
              ElementsAre(StatePair{"past_key_values.0.key", "present.0.key"},
                          StatePair{"past_key_values.1.key", "present.1.key"},
                          StatePair{"past_key_values.0.value", "present.0.value"}));
  EXPECT_THAT(state_pairs(interface_of({"past_0"}, {"present_0"})), ElementsAre(StatePair{"past_0", "present_0"}));
}

TEST(StatePairs, NamesThatMayMeanTwoArePairsOfNone) {
  EXPECT_THAT(state_pairs(interface_of({"state_in"}, {"state_out", "new_state"})), IsEmpty());
  EXPECT_THAT(state_pairs(interface_of({"input"}, {"output"})), IsEmpty()) << "nothing of these names is the same";
}

TEST(StatePairs, AStateKeepsItsTypeAndSize) {
  Interface interface = interface_of({"state"}, {"stateN"});
  interface.outputs[0].dims[2].value = 64;
  EXPECT_THAT(state_pairs(interface), IsEmpty());
  interface = interface_of({"state"}, {"stateN"});
  interface.outputs[0].dtype = DType::f16;
  EXPECT_THAT(state_pairs(interface), IsEmpty());
}

}  // namespace
}  // namespace culprit
