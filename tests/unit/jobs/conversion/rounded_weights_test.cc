// The weights of a whole network, rounded to one grid.
#include "diagnose_bench.h"
#include "support/conversion_few_bits.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using testing::Fault;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class RoundedWeights : public testing::DiagnoseBench {
 protected:
  /// So many of the larger weights, from the first, are rounded to half precision, and stored as float32.
  static Fault first_in_half(int count) {
    return [=](onnx::ModelProto& model) {
      int left = count;
      testing::for_each_large_weight(model, [&](const std::string& name, const Tensor& tensor) {
        if (left-- > 0) testing::set_weight(model, name, testing::to_half(tensor));
      });
    };
  }
};

TEST_F(RoundedWeights, OfAllLayersAreOneFault) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {testing::channels_last_input}, first_in_half(5));
  EXPECT_THAT(told(found), ElementsAre("precision Conv_1"));
  const ConversionFault& fault = found.faults.at(0);
  EXPECT_THAT(fault.group, SizeIs(5));
  EXPECT_THAT(fault.evidence.message, HasSubstr("5 of 5 weights of the network are rounded: float16"));
  EXPECT_THAT(fault.evidence.elements, SizeIs(5));
  EXPECT_EQ(fault.repair.of, RepairRecord::Of::outputs);
  EXPECT_LT(fault.repair.error_after, fault.repair.error_before / 100);
  EXPECT_EQ(found.map.counts.not_found, 0);
}

/// The table tells of the target as it came, and alone of the one with the right weights.
TEST_F(RoundedWeights, AreInEachRowOfTheirLayers) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {}, first_in_half(5));
  int rows = 0;
  for (const LayerRow& row : found.layers) {
    if (row.fault.empty()) continue;
    ++rows;
    EXPECT_GT(row.error.value(), 1e-5) << row.source.name;
    EXPECT_LT(row.error_alone.value(), 1e-5) << row.source.name;
    EXPECT_GT(row.parameter_difference.value(), 1e-6) << row.source.name;
  }
  EXPECT_EQ(rows, 5);
}

TEST_F(RoundedWeights, OfHalfTheLayersAreOneFault) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {}, first_in_half(3));
  EXPECT_THAT(told(found), ElementsAre("precision Conv_1"));
  EXPECT_THAT(found.faults.at(0).group, SizeIs(3));
}

TEST_F(RoundedWeights, OfTwoLayersAreTheirs) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {}, first_in_half(2));
  EXPECT_THAT(told(found), ElementsAre("precision Conv_1", "precision Conv_4"));
}

}  // namespace
}  // namespace culprit
