#include "conversion/faults/unloadable.h"
#include "conversion/runs/both_sides.h"
#include "diagnose_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StoppedTarget : public testing::DiagnoseBench {
 protected:
  /// A second kernel that nobody can run: no operator of one input, so that no other type stands for it.
  static void unknown_kernel(onnx::ModelProto& model) {
    testing::node_of_type(model, "Conv", 1).set_op_type("Nobodys");
  }
};

TEST_F(StoppedTarget, ItsLayerIsTheFaultAndNothingIsSaidOfItsOutputs) {
  const Diagnosis found = diagnose_net(testing::cnn_net(), {}, unknown_kernel);
  EXPECT_EQ(found.status, DiagnosisStatus::faulty);
  EXPECT_THAT(told(found), ElementsAre("graph + Nobodys (not confirmed)"));
  EXPECT_THAT(found.message, HasSubstr("the target does not run: Nobodys "));
  ASSERT_FALSE(found.outputs.empty());
  for (const BoundOutput& output : found.outputs)
    EXPECT_EQ(output.measurement.note, "not compared: the target does not run");
}

TEST(TellWhereItStops, KeepsWhatRanAndWhatIsConfirmed) {
  Network target;
  target.layers.resize(3);
  Diagnosis found;
  std::vector<MendableFault> faults(3);
  for (MendableFault& one : faults) one.fault.evidence.kind = "region";
  faults[0].fault.confirmed = true;
  faults[0].fault.target.node.number = 1;
  faults[1].fault.repair.error_before = 0.5;
  EXPECT_EQ(tell_where_it_stops(found, faults, target, {2, true, "it is tired"}), "");
  EXPECT_EQ(faults.size(), 2U);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].message, "the target does not run: it is tired");
  // What is mended behind it does not explain why it stops.
  EXPECT_THAT(tell_where_it_stops(found, faults, target, {0, false, "it is tired"}),
              HasSubstr("the target does not load"));
  EXPECT_EQ(faults.size(), 3U);
}

TEST(SketchOfSize, IsThatOfASampleOfTheSizeOrOfAnotherBatch) {
  ValueSketch sketch;
  sketch.by_sample.resize(2);
  sketch.by_sample[0].shape = {1, 1, 1, 8};
  sketch.by_sample[0].count = 8;
  sketch.by_sample[1].shape = {2, 1, 1, 8};
  sketch.by_sample[1].count = 16;
  EXPECT_EQ(sketch_of_size(sketch, 16)->shape, (Shape{2, 1, 1, 8}));
  EXPECT_EQ(sketch_of_size(sketch, 24)->shape, (Shape{3, 1, 1, 8}));
  EXPECT_EQ(sketch_of_size(sketch, 5)->shape, (Shape{1, 1, 1, 8}));
  EXPECT_FALSE(sketch_of_size({}, 8));
}

}  // namespace
}  // namespace culprit
