#include "conversion/repair/mend_target.h"

#include "diagnose_bench.h"
#include "model/model.h"
#include "support/conversion_rewrites.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class MendTarget : public testing::DiagnoseBench {
 protected:
  MendedFile mend(const testing::Fault& mistake) {
    const onnx::ModelProto net = testing::cnn_net();
    onnx::ModelProto target = net;
    if (mistake) mistake(target);
    testing::rename_all(target);
    for (const char* name : {"one", "other", "again", "work"}) std::filesystem::create_directories(folder() / name);
    const auto source = open(net, "one"), other = open(target, "other");
    samples.clear();
    for (auto& sample : testing::samples_for(net, sample_count)) add_sample(sample);
    const OpenSide again = [&](const std::filesystem::path& file) -> Result<std::unique_ptr<Side>> {
      ++opened;
      return open(*load_model(file).value().proto, "again");
    };
    auto mended = mend_target(*source, *other, {samples}, options, {executor, folder() / "work"}, again);
    if (!mended) throw std::runtime_error(mended.error().text());
    return std::move(*mended);
  }
  [[nodiscard]] std::unique_ptr<Side> open(const onnx::ModelProto& model, const std::string& name) const {
    return open_onnx_side({model, folder() / name}, read_onnx_network(model).value(), {});
  }

  int opened = 0;
};

TEST_F(MendTarget, ARightOneIsClean) {
  const MendedFile found = mend({});
  EXPECT_TRUE(found.is_clean);
  EXPECT_THAT(found.rounds, IsEmpty());
  EXPECT_EQ(opened, 0);
}

TEST_F(MendTarget, WhatIsConfirmedIsMadeAndTheFileIsDiagnosedAnew) {
  const MendedFile found =
      mend(testing::both(testing::lost_operator("Relu", 0), testing::wrong_weight("Conv", 1, 1, testing::one_wrong)));
  EXPECT_FALSE(found.file.empty()) << found.why_not;
  ASSERT_THAT(found.rounds, SizeIs(1));
  EXPECT_THAT(found.rounds[0].faults, SizeIs(2));
  EXPECT_LT(found.rounds[0].error_after, found.rounds[0].error_before / 100);
  EXPECT_EQ(found.after->status, DiagnosisStatus::same);
  EXPECT_EQ(opened, 1);
}

TEST_F(MendTarget, WithoutAProofNothingIsMade) {
  const MendedFile found =
      mend([](onnx::ModelProto& model) { testing::node_of_type(model, "Conv", 1).set_op_type("Nobodys"); });
  EXPECT_TRUE(found.file.empty());
  EXPECT_THAT(found.why_not, HasSubstr("no repair of a fault was confirmed"));
  EXPECT_EQ(opened, 0);
}

Diagnosis off_by(double error, double floor = 0.01) {
  Diagnosis made;
  Measurement measurement;
  measurement.max_abs = error;
  measurement.floor = floor;
  measurement.elements = 4;
  measurement.beyond_floor = error > floor ? 1 : 0;
  made.outputs.push_back({"y", "z", "", measurement});
  made.samples.push_back({error, error > floor, false});
  return made;
}

TEST(WhyWorse, TwoFloorsMoreIsWorse) {
  const Diagnosis before = off_by(0.1);
  EXPECT_EQ(why_worse(before, off_by(0.119)), "");
  EXPECT_THAT(why_worse(before, off_by(0.121)), HasSubstr("'y' was off by 0.1"));
}

TEST(WhyWorse, ASampleThatWasRightMustStayRight) {
  Diagnosis before = off_by(0.1), after = before;
  EXPECT_EQ(why_worse(before, after), "");
  after.samples[0].is_wrong = true;
  EXPECT_THAT(why_worse(before, after), HasSubstr("sample 0 was right"));
  before.samples[0].is_wrong = true;
  EXPECT_EQ(why_worse(before, after), "");
}

TEST(EditsToMake, WeightsThatWereAllRoundedComeFirst) {
  std::vector<MendableFault> faults(3);
  faults[0].fault.confirmed = true;
  faults[0].edits = {Bypass{1}};
  faults[0].region.emplace();
  faults[1].fault.confirmed = true;
  faults[1].fault.kind = FaultClass::precision;
  faults[1].edits = {Bypass{2}};
  faults[2].edits = {Bypass{3}};  // not confirmed
  const auto edits = edits_to_make(faults);
  ASSERT_EQ(edits.size(), 2U);
  EXPECT_EQ(std::get<Bypass>(edits[0]).layer, 2);
  EXPECT_EQ(std::get<Bypass>(edits[1]).layer, 1);
}

}  // namespace
}  // namespace culprit
