#include "check/noise.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "bench.h"
#include "computer.h"
#include "judge/noise_floor.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Noise : public ComputerBench {
 protected:
  Noise() {
    computer.computes = [](const Floats& w, const Floats& x) {
      return std::vector<NamedTensor>{{"y", vector_of({x[0] * w[0], x[1] * w[1]})}};
    };
  }

  FloorResult measured() {
    std::optional<FloorResult> result;
    measure_floor(desk, basis, [&](FloorResult floor) { result = std::move(floor); });
    EXPECT_TRUE(desk.drain());
    return result.value();
  }
};

TEST_F(Noise, draws_move_weights_and_inputs_by_a_step) {
  feed({{1, 2}});
  measured();
  ASSERT_THAT(computer.weights, SizeIs(3));
  for (const Floats& w : computer.weights) {
    EXPECT_EQ(ulp_distance(w[0], 1.5F), 1);
    EXPECT_EQ(ulp_distance(w[1], 2.5F), 1);
  }
  EXPECT_FALSE(computer.weights[0] == computer.weights[1] && computer.weights[1] == computer.weights[2]);
}

TEST_F(Noise, draws_move_inputs_where_there_are_no_weights) {
  takes("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  computer.computes = [](const Floats&, const Floats& x) { return std::vector<NamedTensor>{{"y", vector_of(x)}}; };
  feed({{1.5F, 3}});
  const NoiseFloor floor = measured().outputs.at("y");
  EXPECT_EQ(floor.deviation, 0x1p-22) << "one ULP of 3";
  EXPECT_EQ(floor.draws, 3);
  for (const RunJob& job : computer.ran) EXPECT_FALSE(job.nudge) << "nothing in it moves";
}

TEST_F(Noise, costs_three_draws_of_at_most_four_samples_at_the_level_of_the_reference) {
  basis.session.level = Level::basic;
  feed({{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}});
  measured();
  ASSERT_THAT(computer.ran, SizeIs(3));
  for (const RunJob& job : computer.ran) {
    EXPECT_THAT(job.samples, SizeIs(4));
    EXPECT_EQ(job.session.level, Level::basic);
  }
}

TEST_F(Noise, errors_of_a_deep_chain_add_up) {
  const auto chain = [](int depth) {
    return [depth](const Floats& w, const Floats& x) {
      Floats y = x;
      for (int i = 0; i < depth; ++i) y = {std::sqrt(y[0] * y[0] + w[0]) * 1.5F, y[1] * w[1] - y[0]};
      return std::vector<NamedTensor>{{"y", vector_of(y)}};
    };
  };
  computer.computes = chain(1);
  feed({{1.25F, 2.75F}});
  const double shallow = measured().outputs.at("y").rel;
  basis.samples.clear();
  computer.computes = chain(30);
  feed({{1.25F, 2.75F}});
  EXPECT_GT(measured().outputs.at("y").rel, 4 * shallow) << "one number for both would be wrong for one of them";
}

TEST_F(Noise, weights_move_in_the_worker_and_no_model_is_written) {
  feed({{1, 2}});
  measured();
  for (const RunJob& job : computer.ran) {
    EXPECT_EQ(job.model, basis.model.path);
    ASSERT_TRUE(job.nudge);
    EXPECT_EQ(job.nudge->ulps, 1U);
  }
}

TEST_F(Noise, leaves_no_file_behind) {
  feed({{1, 2}});
  measured();
  EXPECT_TRUE(fs::is_empty(folder() / "outputs"));
}

TEST_F(Noise, the_report_holds_the_parts_of_the_sum) {
  feed({{1, 2}, {100, 200}});
  const NoiseFloor floor = measured().outputs.at("y");
  EXPECT_GE(floor.deviation, 0x1p-15) << "500 has ULPs of 2^-15";
  EXPECT_LE(floor.deviation, 4 * 0x1p-15);
  EXPECT_DOUBLE_EQ(floor.rms, std::sqrt((150.0 * 150 + 500.0 * 500) / 2));
  EXPECT_DOUBLE_EQ(floor.abs, 4 * floor.deviation + 8 * floor.eps * floor.rms + floor.step);
  EXPECT_EQ(floor.discarded, 0);
}

TEST_F(Noise, without_anything_to_move_it_is_eps_alone) {
  takes("g (int64[2] x) => (float[2] y) <float one = {1}> { y = Cast<to = 1>(x) }");
  computer.computes = [](const Floats&, const Floats&) { return std::vector<NamedTensor>{{"y", vector_of({3, 4})}}; };
  feed({{1}});
  const NoiseFloor floor = measured().outputs.at("y");
  EXPECT_THAT(computer.ran, IsEmpty());
  EXPECT_EQ(floor.draws, 0);
  EXPECT_DOUBLE_EQ(floor.abs, 8 * 0x1p-23 * std::sqrt(12.5));
}

TEST_F(Noise, inputs_that_steer_stay) {
  takes("g (float[2] x) => (int64[2] y) { y = Cast<to = 7>(x) }");
  computer.computes = [](const Floats&, const Floats&) { return std::vector<NamedTensor>{{"y", label_of(1)}}; };
  feed({{3, 2}});
  measured();
  EXPECT_THAT(computer.ran, IsEmpty());
}

TEST_F(Noise, a_draw_that_changes_a_shape_or_the_pattern_of_nan_is_discarded_for_that_output) {
  int run = 0;
  computer.computes = [&run](const Floats&, const Floats& x) {
    ++run;  // 1 is the reference
    Floats y = {x[0], x[1]};
    Floats z = {x[0], x[1]};
    if (run == 2) y.push_back(1);
    if (run == 3) y[0] = std::numeric_limits<float>::quiet_NaN();
    return std::vector<NamedTensor>{{"y", vector_of(y)}, {"z", vector_of(z)}};
  };
  feed({{1, 2}});
  const auto floors = measured().outputs;
  EXPECT_EQ(floors.at("y").draws, 1);
  EXPECT_EQ(floors.at("y").discarded, 2);
  EXPECT_EQ(floors.at("z").draws, 3);
  EXPECT_EQ(floors.at("z").discarded, 0);
}

TEST_F(Noise, a_draw_that_fails_is_discarded_for_all) {
  feed({{1, 2}});
  computer.fails = [](std::size_t run) { return run == 1 ? failure(Ending::crashed, "killed by SIGSEGV") : Failure(); };
  const NoiseFloor floor = measured().outputs.at("y");
  EXPECT_EQ(floor.draws, 2);
  EXPECT_EQ(floor.discarded, 1);
}

TEST_F(Noise, cancellation_makes_a_high_floor_and_a_warning) {
  computer.computes = [](const Floats& w, const Floats& x) {
    return std::vector<NamedTensor>{{"y", vector_of({x[0] - x[0] * w[0], x[1] - x[1] * w[1]})}};
  };
  takes("g (float[2] x) => (float[2] y) <float[2] w = {1.00001, 0.99999}> { y = Mul(x, w) }");
  feed({{1000, 2000}});
  const FloorResult result = measured();
  EXPECT_GT(result.outputs.at("y").rel, 0.02) << "1e-5 of x with an eps of 1.2e-7 leaves two digits";
  ASSERT_THAT(codes(result.warnings), ElementsAre("floor_hides"));
  EXPECT_THAT(result.warnings[0].message, HasSubstr("output 'y': floor 0.00"));
  EXPECT_THAT(result.warnings[0].message, HasSubstr("tolerance 1."));
}

TEST_F(Noise, quantized_outputs_have_a_step) {
  takes("g (float[2] x) => (float[2] y) <float s = {0.5}> { q = QuantizeLinear(x, s)  y = DequantizeLinear(q, s) }");
  computer.computes = [](const Floats&, const Floats&) { return std::vector<NamedTensor>{{"y", vector_of({1, 2})}}; };
  feed({{1, 2}});
  const NoiseFloor floor = measured().outputs.at("y");
  EXPECT_EQ(floor.step, 0.5);
  EXPECT_GT(floor.abs, 0.5);
}

TEST_F(Noise, weights_outside_the_model_are_brought_in) {
  ASSERT_TRUE(write_file_atomic(folder() / "w.bin", std::string("\0\0\x80\x3f\0\0\0\x40", 8)));
  takes(R"(g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin"]> { y = Mul(x, w) })");
  ASSERT_TRUE(basis.model.has_external_data);
  const std::vector<NamedTensor> inputs = {{"x", vector_of({1, 2})}};
  const std::vector<NamedTensor> outputs = {{"y", vector_of({1, 4})}};
  ASSERT_TRUE(write_pack(folder() / "in.pack", inputs) && write_pack(folder() / "out.pack", outputs));
  basis.samples = {folder() / "in.pack"};
  basis.reference = {folder() / "out.pack"};
  EXPECT_EQ(measured().outputs.at("y").draws, 3);
  for (const Floats& w : computer.weights) EXPECT_EQ(ulp_distance(w[0], 1.0F), 1);
}

TEST_F(Noise, weights_over_two_gigabytes_move_too) {
  ASSERT_TRUE(write_file_atomic(folder() / "w.bin", ""));
  fs::resize_file(folder() / "w.bin", UINT64_C(3'200'000'000));  // a hole: takes no room
  takes(R"(g (float[2] x) => (float[2] y) <float[800000000] w = ["location": "w.bin"]> { y = Mul(x, w) })");
  const std::vector<NamedTensor> pack = {{"x", vector_of({1, 2})}};
  ASSERT_TRUE(write_pack(folder() / "in.pack", pack));
  basis.samples = basis.reference = {folder() / "in.pack"};
  computer.fails = [](std::size_t) { return failure(Ending::threw, "not run here"); };
  EXPECT_EQ(measured().outputs.at("x").discarded, 3);
  for (const RunJob& job : computer.ran) EXPECT_TRUE(job.nudge);
}

TEST(FloorHides, names_three_outputs_and_leaves_exact_ones_out) {
  std::map<std::string, NoiseFloor> floors;
  std::map<std::string, Tensor> largest;
  for (const char* name : {"a", "b", "c", "d"}) {
    largest[name] = vector_of({1, 1});
    add_reference(floors[name], largest[name]);
    floors[name].abs = 0.1;
  }
  floors["label"].abs = 1;
  largest["label"] = label_of(3);
  const auto warning = floor_hides(floors, largest, {});
  ASSERT_TRUE(warning);
  EXPECT_THAT(warning->message, HasSubstr("output 'a': floor 0.1, tolerance 0.0011; output 'b'"));
  EXPECT_THAT(warning->message, HasSubstr("'c': floor 0.1, tolerance 0.0011; and 1 more"));
  EXPECT_FALSE(floor_hides(floors, largest, {0.2, 0.0})) << "the tolerance as given by the user";
}

/// Numbers on both sides of both limits, through the whole check. The reference is y = 2x with x = (1..3, -1); its
/// floor is about 6e-6.
class Judging : public Bench {
 protected:
  Judging() {
    options.draws = 3;
    options.each = {"a"};
  }
  Verdict verdict_with(float shift) {
    executor.passes["a"] = breaks("shifted by " + std::to_string(shift), shift);
    return variant(check(), "a").verdict;
  }
};

TEST_F(Judging, what_the_floor_explains_is_equivalent_and_what_it_does_not_deviates) {
  EXPECT_EQ(verdict_with(2e-6F), Verdict::equivalent);
  EXPECT_EQ(verdict_with(1e-4F), Verdict::deviates) << "within rtol 1e-3, and far beyond rounding";
  EXPECT_EQ(verdict_with(1e-1F), Verdict::diverged);
}

TEST_F(Judging, strict_means_beyond_the_floor) {
  options.strict = true;
  executor.passes["a"] = breaks("shifted", 2e-6F);
  EXPECT_THAT(check().faults, IsEmpty());
  executor.passes["a"] = breaks("shifted", 1e-4F);
  EXPECT_THAT(check().faults, SizeIs(1));
}

TEST_F(Judging, given_tolerances_do_not_touch_the_floor) {
  options.tolerance = {0.0, 0.0};
  EXPECT_EQ(verdict_with(2e-6F), Verdict::equivalent);
  EXPECT_EQ(verdict_with(1e-4F), Verdict::diverged);
}

TEST_F(Judging, confirmations_use_the_floor_too) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].shift_z = 1e-6F;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_EQ(variant(report, "a").measurements.at("z").beyond_floor, 0);
}

TEST_F(Judging, the_control_repeat_does_not) {
  executor.noise = 1e-6F;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::nondeterministic);
}

TEST_F(Judging, the_floors_are_in_the_report_and_the_draws_are_counted) {
  executor.passes["a"] = breaks("within", 2e-6F);
  const ModelReport report = check();
  EXPECT_EQ(report.noise_floor.at("y").draws, 3);
  EXPECT_GT(report.noise_floor.at("y").deviation, 0);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1 + 3)) << "reference, repeat, variant, draws";
  options.draws = 0;
  executor.ran.clear();
  EXPECT_EQ(check().noise_floor.at("y").draws, 0);
  EXPECT_THAT(executor.ran, SizeIs(3));
}

TEST_F(Judging, where_all_bits_agree_no_floor_is_measured) {
  executor.passes["a"] = changes("new");
  const ModelReport report = check();
  EXPECT_THAT(report.noise_floor, IsEmpty());
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1)) << "reference, repeat, variant";
}

TEST_F(Judging, another_shape_says_enough_without_a_floor) {
  executor.passes["a"] = changes("new");
  executor.passes["a"].reshapes = true;
  EXPECT_EQ(variant(check(), "a").verdict, Verdict::diverged);
  EXPECT_THAT(executor.ran, SizeIs(1 + 1 + 1 + 2)) << "reference, repeat, variant, confirmations";
}

TEST_F(Judging, the_floor_is_measured_once_for_all_that_differ) {
  options.each = {"a", "b", "c"};
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = breaks(std::string("by ") + pass, 2e-6F);
  check();
  const auto draws = std::ranges::count_if(executor.ran, [](const RunJob& job) {
    return job.folder.parent_path().filename().string().starts_with("floor-");
  });
  EXPECT_EQ(draws, 3);
}

TEST_F(Judging, what_was_judged_before_the_floor_was_known_is_told_as_what_was_judged_after) {
  options.each = {"a", "b", "c"};
  executor.passes["a"] = changes("same");
  executor.passes["b"] = breaks("other", 2e-6F);
  executor.passes["c"] = changes("same again");
  const ModelReport first = check();
  for (std::uint64_t shuffle = 1; shuffle < 60; shuffle += 2) {
    executor.shuffle = shuffle;
    const ModelReport report = check();
    for (const char* pass : {"a", "b", "c"}) {
      const Measurement& m = variant(report, pass).measurements.at("y");
      EXPECT_EQ(m.floor, variant(first, pass).measurements.at("y").floor) << pass << " " << shuffle;
      EXPECT_EQ(m.floor == 0, m.mismatched == 0) << pass;
    }
  }
}

TEST_F(Judging, the_runtimes_own_optimizations_ask_for_a_floor_only_where_they_go_beyond_the_tolerance) {
  options.deploy_level = Level::all;
  executor.passes["a"] = changes("new");
  Behaviour optimized;
  optimized.shift_y = 1e-4F;
  executor.original.deployed = std::make_shared<Behaviour>(optimized);
  executor.passes["a"].deployed = std::make_shared<Behaviour>(optimized);
  ModelReport report = check();
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::deviates);
  EXPECT_THAT(report.noise_floor, IsEmpty());
  optimized.shift_y = 0.5F;
  executor.original.deployed = std::make_shared<Behaviour>(optimized);
  executor.passes["a"].deployed = std::make_shared<Behaviour>(optimized);
  report = check();
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::diverged);
  EXPECT_GT(control(report, "runtime_optimized").measurements.at("y").floor, 0);
  EXPECT_EQ(report.noise_floor.at("y").draws, 3);
  EXPECT_THAT(codes(report.warnings), ElementsAre("runtime_changes_values"));
}

}  // namespace
}  // namespace culprit
