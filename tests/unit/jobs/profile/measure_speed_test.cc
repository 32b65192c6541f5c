#include "profile/speed/measure_speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;

/// A machine whose times are made up: each block is off by its own factor for each session, each run a little more, and
/// now and then something disturbs a run.
struct FakeMachine {
  std::vector<double> seconds;  ///< of a run, by model: models are named by their place here
  double block_scatter = 0.02;
  double run_scatter = 0.03;
  std::map<std::size_t, int> fails_to_load = {}, fails_to_run = {};  ///< so often; -1: always
  bool fails_in_company = false;                                     ///< the last model, beside others
  std::int64_t cold_runs = 0;                                        ///< of a session, five times as slow
  std::vector<double> samples = {1};                                 ///< how many times as long each of them takes
  // What was asked for:
  std::vector<std::vector<std::size_t>> blocks = {};
  std::vector<std::vector<std::size_t>> turns = {};    ///< of each block, the order of its runs
  std::vector<std::vector<std::size_t>> sampled = {};  ///< and their samples
};

MeasuredModel model_numbered(std::size_t number, std::size_t samples) {
  MeasuredModel model;
  model.job.samples.resize(samples);
  model.job.model = std::to_string(number);
  return model;
}

class FakeBlock : public MeasuringBlock {
 public:
  FakeBlock(FakeMachine& machine, Random& random, const std::vector<MeasuredModel>& models)
      : machine_(machine), random_(random) {
    for (const MeasuredModel& model : models) which_.push_back(std::stoul(model.job.model.string()));
    for (std::size_t i = 0; i < which_.size(); ++i)
      factors_.push_back(std::exp(machine.block_scatter * random.normal()));
    runs_.resize(which_.size());
    machine.blocks.push_back(which_);
    machine.turns.emplace_back();
    machine.sampled.emplace_back();
  }

  Loaded load(std::size_t model) override {
    if (fails(machine_.fails_to_load, which_[model])) return {{Ending::threw, "no such operator", ""}, 0, ""};
    return {{}, 0.01, "1.31.1"};
  }

  Turn run(std::size_t /*model*/, std::int64_t /*runs*/) override {
    ADD_FAILURE() << "speed is measured on samples that were chosen";
    return {};
  }

  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t sample) override {
    machine_.sampled.back().push_back(sample);
    machine_.turns.back().push_back(which_[model]);
    const bool is_last = which_[model] + 1 == machine_.seconds.size();
    const bool is_in_bad_company = machine_.fails_in_company && is_last && which_.size() > 1;
    if (is_in_bad_company || fails(machine_.fails_to_run, which_[model]))
      return {{Ending::crashed, "killed by SIGSEGV", ""}, {}};
    Turn turn;
    for (std::int64_t i = 0; i < runs; ++i) turn.seconds.push_back(one_run(model) * machine_.samples.at(sample));
    return turn;
  }

  Resident resident(std::size_t /*model*/) override { return {}; }

 private:
  double one_run(std::size_t model) {
    double seconds = machine_.seconds[which_[model]] * factors_[model];
    seconds *= 1 + machine_.run_scatter * std::abs(random_.normal());
    if (random_.uniform() < 0.05) seconds *= 3;
    return runs_[model]++ < machine_.cold_runs ? seconds * 5 : seconds;
  }

  static bool fails(std::map<std::size_t, int>& how_often, std::size_t model) {
    const auto found = how_often.find(model);
    if (found == how_often.end() || found->second == 0) return false;
    if (found->second > 0) --found->second;
    return true;
  }

  FakeMachine& machine_;
  Random& random_;
  std::vector<std::size_t> which_;
  std::vector<double> factors_;
  std::vector<std::int64_t> runs_;
};

class FakeBlocks : public MeasuringBlocks {
 public:
  FakeBlocks(FakeMachine& machine, std::uint64_t seed) : machine_(machine), random_(seed) {}
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    return std::make_unique<FakeBlock>(machine_, random_, models);
  }

 private:
  FakeMachine& machine_;
  Random random_;
};

SpeedReport measured(FakeMachine& machine, SpeedOptions options = {}, std::uint64_t seed = 1) {
  std::vector<MeasuredModel> models;
  for (std::size_t i = 0; i < machine.seconds.size(); ++i) models.push_back(model_numbered(i, machine.samples.size()));
  FakeBlocks blocks(machine, seed);
  auto report = measure_speed(blocks, models, options);
  EXPECT_TRUE(report) << (report ? "" : report.error().text());
  return report ? std::move(*report) : SpeedReport{};
}

SpeedOptions until_sure(std::int64_t most_blocks) {
  SpeedOptions options;
  options.until_sure = true;
  auto left = std::make_shared<std::int64_t>(most_blocks);
  options.is_time_up = [left] { return (*left)-- <= 0; };
  return options;
}

TEST(SpeedVerdict, NeedsTheWholeInterval) {
  EXPECT_EQ(speed_verdict({1, 0.97, 1.03}), SpeedVerdict::same);
  EXPECT_EQ(speed_verdict({1, 0.969, 1.03}), SpeedVerdict::ambiguous);
  EXPECT_EQ(speed_verdict({1.1, 1.031, 1.2}), SpeedVerdict::slower);
  EXPECT_EQ(speed_verdict({1.1, 1.03, 1.2}), SpeedVerdict::ambiguous);
  EXPECT_EQ(speed_verdict({0.9, 0.8, 0.9699}), SpeedVerdict::faster);
  EXPECT_EQ(speed_verdict({1.02, 1.01, 1.029}), SpeedVerdict::same);  // not the very same, and nobody notices
  EXPECT_EQ(speed_verdict({1, 0, std::numeric_limits<double>::infinity()}), SpeedVerdict::ambiguous);
}

TEST(SpeedVerdict, TimesAreMedianAndPercentilesOfAll) {
  const TimeRecord times = time_record(std::vector{5.0, 1.0, 2.0, 3.0, 4.0, 100.0});
  EXPECT_DOUBLE_EQ(times.median, 3.5);
  EXPECT_DOUBLE_EQ(times.p10, 1.5);
  EXPECT_DOUBLE_EQ(times.p90, 52.5);
  EXPECT_EQ(times.runs, 6);
}

TEST(MeasureSpeed, TellsSlowerFasterAndSame) {
  FakeMachine machine{{0.02, 0.022, 0.016, 0.02}};
  const SpeedReport report = measured(machine);
  EXPECT_EQ(report.models[0].verdict, SpeedVerdict::baseline);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::slower);
  EXPECT_NEAR(report.models[1].ratio.value, 1.1, 0.02);
  EXPECT_EQ(report.models[2].verdict, SpeedVerdict::faster);
  EXPECT_EQ(report.models[3].verdict, SpeedVerdict::same);
  EXPECT_EQ(report.blocks, 20);
  EXPECT_EQ(report.looks, 1);
  EXPECT_EQ(report.models[1].block_ratios.size(), 20u);
  EXPECT_EQ(report.models[1].loads.size(), 20u);
}

TEST(MeasureSpeed, EachBlockRunsItsSessionsInTurnsInAnOrderByChance) {
  FakeMachine machine{{0.02, 0.02, 0.02}};
  measured(machine);
  ASSERT_EQ(machine.blocks.size(), 20u);
  EXPECT_THAT(machine.blocks, Each(ElementsAre(0, 1, 2)));
  std::map<std::size_t, int> last;
  for (const auto& order : machine.turns) {
    // The last two rounds: one order and the other way round, each session once.
    const std::vector<std::size_t> before(order.end() - 6, order.end() - 3), after(order.rbegin(), order.rbegin() + 3);
    EXPECT_THAT(before, ::testing::UnorderedElementsAre(0, 1, 2));
    EXPECT_EQ(before, after);
    ++last[order.back()];
  }
  EXPECT_THAT(last, ::testing::SizeIs(3)) << "the same session is the last one in all blocks";
}

/// The samples of a session's turns behind its warming up, in a block of rows that have as many turns each.
std::vector<std::size_t> samples_of_turns(const FakeMachine& machine, std::size_t block, std::size_t model,
                                          std::size_t turns) {
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < machine.turns[block].size(); ++i)
    if (machine.turns[block][i] == model) samples.push_back(machine.sampled[block][i]);
  return {samples.end() - static_cast<std::ptrdiff_t>(turns), samples.end()};
}

/// A sample may take ten times as long as another: whoever had other samples in a round would be called slower.
TEST(MeasureSpeed, InOneRoundAllSessionsRunTheSameSample) {
  FakeMachine machine{{0.004, 0.004, 0.0001}};
  machine.samples = {1, 10, 3};
  machine.block_scatter = 0.001;
  const SpeedReport report = measured(machine);
  const auto first = samples_of_turns(machine, 0, 0, 6);
  EXPECT_THAT(first, ElementsAre(first[0], first[0], first[2], first[2], first[4], first[4])) << "there and back";
  for (std::size_t block = 0; block < machine.blocks.size(); ++block)
    for (std::size_t model = 1; model < 3; ++model)
      EXPECT_EQ(samples_of_turns(machine, block, model, 6), samples_of_turns(machine, block, 0, 6)) << block;
  for (const double ratio : report.models[1].block_ratios) EXPECT_NEAR(ratio, 1, 0.2);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::same);
}

TEST(MeasureSpeed, TheNextBlockGoesOnWithTheNextSamples) {
  FakeMachine machine{{0.5, 0.5, 0.5}};
  machine.samples = {1, 1, 1, 1};
  SpeedOptions options;
  options.blocks = 8;
  options.at_once = 2;  // every second block is the second row's
  measured(machine, options);
  std::map<std::size_t, std::map<std::size_t, int>> how_often;
  for (std::size_t block = 0; block < machine.blocks.size(); ++block)
    for (const std::size_t sample : samples_of_turns(machine, block, machine.blocks[block].back(), 2))
      ++how_often[machine.blocks[block].back()][sample];
  const std::map<std::size_t, int> as_often{{0, 4}, {1, 4}, {2, 4}, {3, 4}};
  EXPECT_EQ(how_often[1], as_often);
  EXPECT_EQ(how_often[2], as_often);
}

TEST(MeasureSpeed, ShortRunsAreMeasuredManyAtATimeWithoutTheFirst) {
  FakeMachine machine{{1e-4, 1e-4}};
  SpeedOptions options;
  options.blocks = 6;
  const SpeedReport report = measured(machine, options);
  const double turns = static_cast<double>(machine.turns[0].size()) / 2 - 6;
  const double runs = static_cast<double>(all_seconds(report.models[0].samples).size()) / 6;
  EXPECT_GE(runs / turns, 10) << "2 ms are 20 runs";
}

TEST(MeasureSpeed, LongRunsAreTwoTurnsOfABlock) {
  FakeMachine machine{{0.5, 0.5}};
  SpeedOptions options;
  options.blocks = 6;
  const SpeedReport report = measured(machine, options);
  EXPECT_THAT(all_seconds(report.models[1].samples), ::testing::SizeIs(12));
  EXPECT_EQ(report.models[1].samples.back().block, 6);
  EXPECT_LE(machine.turns[0].size(), 8u);
}

TEST(MeasureSpeed, ColdRunsDoNotCount) {
  FakeMachine machine{{0.004, 0.004}};
  machine.cold_runs = 5;
  machine.run_scatter = 0;
  const SpeedReport report = measured(machine);
  for (const double seconds : all_seconds(report.models[1].samples))
    EXPECT_LT(seconds, 0.014) << "three times 0.004, and not five";
}

TEST(MeasureSpeed, MoreThanABlockHoldsAreMeasuredByTurnsWithTheFirst) {
  FakeMachine machine{{0.02, 0.02, 0.02, 0.02, 0.02}};
  SpeedOptions options;
  options.at_once = 3;
  options.blocks = 7;
  const SpeedReport report = measured(machine, options);
  EXPECT_EQ(report.blocks, 14);
  for (const auto& block : machine.blocks) EXPECT_EQ(block.front(), 0u);
  for (std::size_t model = 1; model < 5; ++model) EXPECT_EQ(report.models[model].block_ratios.size(), 7u);
}

TEST(MeasureSpeed, UntilSureLooksAgainAndStopsWithWhatIsSure) {
  FakeMachine machine{{0.02, 0.03, 0.0206}, 0.03};
  const SpeedReport report = measured(machine, until_sure(60));
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::slower);
  EXPECT_EQ(report.models[1].block_ratios.size(), 9u) << "sure at the first look, so it runs no more";
  EXPECT_EQ(report.models[2].verdict, SpeedVerdict::ambiguous) << "3 % is at the border: no look can tell";
  EXPECT_EQ(report.models[2].block_ratios.size(), 60u);
  EXPECT_GE(report.looks, 4);
}

/// How often so many runs of `culprit profile` would say this of a model that takes `factor` times as long.
std::map<SpeedVerdict, int> verdicts(double factor, double scatter, int cases, bool looks_again) {
  std::map<SpeedVerdict, int> said;
  for (int i = 0; i < cases; ++i) {
    FakeMachine machine{{0.02, 0.02 * factor}, scatter};
    SpeedOptions options = looks_again ? until_sure(48) : SpeedOptions{};
    options.block.seconds = 0.1;
    options.seed = static_cast<std::uint64_t>(i);
    ++said[measured(machine, options, static_cast<std::uint64_t>(1000 + i)).models[1].verdict];
  }
  return said;
}

TEST(MeasureSpeed, EqualModelsAreSeldomCalledDifferent) {
  for (const bool looks_again : {false, true}) {
    auto said = verdicts(1, looks_again ? 0.02 : 0.015, 100, looks_again);
    EXPECT_GE(said[SpeedVerdict::same], 95) << looks_again;
    EXPECT_LE(said[SpeedVerdict::slower] + said[SpeedVerdict::faster], 2) << looks_again;
  }
}

TEST(MeasureSpeed, TenPercentAreSeen) {
  EXPECT_GE(verdicts(1.1, 0.03, 100, true)[SpeedVerdict::slower], 95);
  EXPECT_GE(verdicts(1.2, 0.03, 100, false)[SpeedVerdict::slower], 95);
}

TEST(MeasureSpeed, AModelThatFailsIsAResultAndTheOthersGoOn) {
  FakeMachine machine{{0.02, 0.03, 0.02}};
  machine.fails_to_load = {{2, -1}};
  const SpeedReport report = measured(machine);
  EXPECT_EQ(report.models[2].verdict, SpeedVerdict::failed);
  EXPECT_EQ(report.models[2].failed_at, FailedAt::load);
  EXPECT_EQ(report.models[2].failure.message, "no such operator");
  EXPECT_THAT(machine.blocks[1], ElementsAre(2)) << "confirmed alone in a process of its own";
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::slower);
}

TEST(MeasureSpeed, AFailureThatDoesNotShowAgainIsForgotten) {
  FakeMachine machine{{0.02, 0.03}};
  machine.fails_to_run = {{1, 1}};
  const SpeedReport report = measured(machine);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::slower);
  EXPECT_EQ(report.models[1].block_ratios.size(), 20u);
}

TEST(MeasureSpeed, WhatFailsOnlyBesideOthersEndsAsAFailure) {
  FakeMachine machine{{0.02, 0.03}};
  machine.fails_in_company = true;
  const SpeedReport report = measured(machine);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::failed);
  EXPECT_THAT(report.models[1].failure.message, ::testing::HasSubstr("beside the other sessions"));
}

TEST(MeasureSpeed, WithoutTheFirstNothingIsSaidOfRatios) {
  FakeMachine machine{{0.02, 0.03}};
  machine.fails_to_run = {{0, -1}};
  const SpeedReport report = measured(machine);
  EXPECT_EQ(report.models[0].verdict, SpeedVerdict::failed);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::not_measured);
  EXPECT_TRUE(report.models[1].block_ratios.empty());
}

TEST(MeasureSpeed, WhenTheTimeIsSpentWhatThereIsIsLookedAt) {
  FakeMachine machine{{0.02, 0.03}};
  SpeedOptions options;
  int asked = 0;
  options.is_time_up = [&] { return ++asked > 7; };
  const SpeedReport report = measured(machine, options);
  EXPECT_EQ(report.blocks, 7);
  EXPECT_EQ(report.models[1].verdict, SpeedVerdict::slower);
  EXPECT_TRUE(report.is_out_of_time);
}

TEST(MeasureSpeed, WhatEndsByItselfIsNotOutOfTime) {
  FakeMachine machine{{0.02, 0.03}};
  SpeedOptions options;
  int asked = 0;
  options.blocks = 7;
  options.is_time_up = [&] { return ++asked > 7; };
  const SpeedReport report = measured(machine, options);
  EXPECT_EQ(report.models[1].block_ratios.size(), 7u);
  EXPECT_FALSE(report.is_out_of_time) << "the time went by when all was done";
}

TEST(MeasureSpeed, ARowWithoutABlockIsNotMeasured) {
  for (const bool is_until_sure : {false, true}) {
    FakeMachine machine{{0.02, 0.03, 0.02}};
    SpeedOptions options = until_sure(1);  // blocks
    options.until_sure = is_until_sure;
    options.at_once = 2;
    const SpeedReport report = measured(machine, options);
    EXPECT_EQ(report.models[1].verdict, SpeedVerdict::ambiguous) << "one block tells nothing, and is one";
    EXPECT_EQ(report.models[2].verdict, SpeedVerdict::not_measured);
    EXPECT_EQ(report.models[2].ratio, RatioRecord()) << "there is none";
    EXPECT_TRUE(report.is_out_of_time);
  }
}

TEST(MeasureSpeed, FewerBlocksThanTheLeastHaveNoInterval) {
  const std::vector<double> ratios(least_blocks, 1.1);
  EXPECT_TRUE(has_interval(ratio_of(ratios, 0.95)));
  EXPECT_FALSE(has_interval(ratio_of(std::span(ratios).first(least_blocks - 1), 0.95)));
}

TEST(MeasureSpeed, OneModelAloneIsTimed) {
  FakeMachine machine{{0.02}};
  SpeedOptions options;
  options.blocks = 3;
  const SpeedReport report = measured(machine, options);
  EXPECT_EQ(report.blocks, 3);
  EXPECT_THAT(all_seconds(report.models[0].samples), ::testing::SizeIs(Ge(18u)));
}

TEST(SpeedVerdict, BlocksThatAreMissingGoWithTheWidthOfTheInterval) {
  EXPECT_EQ(blocks_to_be_sure({1, 0.97, 1.04}, 0), 9) << "a first look";
  EXPECT_EQ(blocks_to_be_sure({1, 0, std::numeric_limits<double>::infinity()}, 3), 9);
  const double edge = std::log(1.03);
  EXPECT_EQ(blocks_to_be_sure({1, std::exp(-edge), std::exp(1.9 * edge)}, 10), 37) << "1.9 times as wide as it may be";
  EXPECT_EQ(blocks_to_be_sure({1.2, 1.02, 1.41}, 20), 23) << "the edge is a little inside";
  EXPECT_EQ(blocks_to_be_sure({1.03, 1.0, 1.06}, 50), std::nullopt) << "no number of blocks tells";
}

}  // namespace
}  // namespace culprit
