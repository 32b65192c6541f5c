// Outputs that are no plain tensors, and types that the optimizer's form cannot hold.
#include "bench.h"
#include "model/lost_types.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Values : public Bench {
 protected:
  Values() { executor.listed = true; }
};

TEST_F(Values, a_sequence_is_compared_part_by_part) {
  executor.passes["a"] = changes("same");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  ASSERT_THAT(report.baseline.weak, SizeIs(1)) << "not the length, which is always the same";
  EXPECT_EQ(report.baseline.weak[0].output, "y[1]");
  EXPECT_THAT(report.faults, IsEmpty());
  std::vector<std::string> names;
  for (const auto& [name, m] : variant(report, "a").measurements) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("y.length", "y[0]", "y[1]", "z"));
}

TEST_F(Values, a_wrong_element_is_found) {
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_THAT(variant(report, "a").message, HasSubstr("output 'y[0]' differs by 0.5"));
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
}

TEST_F(Values, another_length_is_found_and_said) {
  executor.passes["a"] = changes("short");
  executor.passes["a"].reshapes = true;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_THAT(variant(report, "a").message,
              HasSubstr("output 'y.length': sequence length 2 became 1 on 3 of 3 samples"));
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].signature, HasSubstr("sequence length"));
}

TEST_F(Values, the_noise_floor_knows_the_parts) {
  options.draws = 3;
  executor.passes["a"] = changes("moved");
  executor.passes["a"].shift_y = 1e-6F;  // nobody asks for a floor where all bits agree
  const ModelReport report = check();
  std::vector<std::string> names;
  for (const auto& [name, floor] : report.noise_floor) names.push_back(name);
  EXPECT_THAT(names, ElementsAre("y[0]", "y[1]", "z")) << "a length has no noise";
  EXPECT_GT(report.noise_floor.at("y[0]").abs, 0);
  EXPECT_EQ(report.noise_floor.at("y[0]").draws, 1);
}

TEST_F(Values, a_lost_type_is_the_round_trips_fault_and_the_passes_are_judged) {
  executor.round_trip.warnings = {types_lost_warning({"output 'y'"})};
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_EQ(report.faults[0].verdict, Verdict::rejected);
  EXPECT_THAT(report.faults[0].message, HasSubstr("leaves out the type of output 'y'"));
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("a"));
  EXPECT_EQ(report.faults[1].verdict, Verdict::diverged);
  EXPECT_THAT(control(report, "round_trip").message, HasSubstr("confirmed 2/2"));
  EXPECT_THAT(codes(report.warnings), Contains("types_lost"));
}

TEST_F(Values, a_round_trip_with_wrong_values_is_at_fault_for_these) {
  executor.round_trip = breaks("trip");
  executor.round_trip.warnings = {types_lost_warning({"output 'y'"})};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].verdict, Verdict::diverged);
}

}  // namespace
}  // namespace culprit
