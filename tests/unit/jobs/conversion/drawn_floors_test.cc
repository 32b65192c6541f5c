#include "conversion/readings/drawn_floors.h"

#include <gmock/gmock.h>

#include <functional>
#include <random>

namespace culprit {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t numbers_of_value = 256;

/// Numbers about 1, each moved by up to `by`, by a seed.
Tensor about_one(double by = 0, unsigned seed = 0) {
  std::mt19937 start(7), random(seed);
  std::uniform_real_distribution<double> sizes(0.5, 1.5), ways(-1, 1);
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < numbers_of_value; ++i)
    numbers.push_back(static_cast<float>(sizes(start) + by * ways(random)));
  return Tensor::of<float>({numbers_of_value}, numbers);
}

/// What draws give, by their number.
struct Moves {
  std::function<Tensor(unsigned number, unsigned ulps)> moved;
  int made = 0;

  /// All numbers, by up to so much.
  static Moves by(double by) {
    return {.moved = [by](unsigned number, unsigned ulps) { return about_one(by * ulps, 100 + number); }};
  }

  DrawnFloors::DrawsOf draws() {
    return [this](const Perturbation& perturbation) -> std::unique_ptr<Elements> {
      class Moved : public Elements {
       public:
        explicit Moved(Tensor tensor) : tensor_(std::move(tensor)) {}
        Result<std::vector<Tensor>> of(int) override { return std::vector{tensor_}; }

       private:
        Tensor tensor_;
      };
      ++made;
      return std::make_unique<Moved>(moved(static_cast<unsigned>(perturbation.seed), perturbation.ulps));
    };
  }
};

/// Every second number is a ten thousandth of the others. `share`: all are moved by up to so much of themselves;
/// `by`: by up to so much, as what is left where large numbers cancelled.
Tensor large_and_small(double share, double by, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> ways(-1, 1);
  std::vector<float> numbers;
  const Tensor start = about_one();
  for (const float number : start.as<float>()) {
    const double size = numbers.size() % 2 == 0 ? number : number * 1e-4;
    numbers.push_back(static_cast<float>(size * (1 + share * ways(random)) + by * ways(random)));
  }
  return Tensor::of<float>({numbers_of_value}, numbers);
}

struct Pairing {
  std::vector<Tensor> source{about_one()}, target;
  [[nodiscard]] ValuePair pair() const {
    return {.source = 1, .target = 2, .of_source = source, .of_target = target, .bring_back = {}};
  }
};

Likeness likeness(ValueJudge& judge, const Pairing& pairing) { return judge.judge(pairing.pair()).value().likeness; }

TEST(PlainJudge, FewUnitsAreRoundingAndTheToleranceIsTheRest) {
  PlainJudge judge({});
  EXPECT_EQ(likeness(judge, {.target = {about_one()}}), Likeness::equal);
  EXPECT_EQ(likeness(judge, {.target = {about_one(1e-7, 1)}}), Likeness::equal);
  EXPECT_EQ(likeness(judge, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  EXPECT_EQ(likeness(judge, {.target = {about_one(0.1, 1)}}), Likeness::differs);
}

TEST(PlainJudge, BringsTheTargetIntoTheSourcesOrder) {
  PlainJudge judge({});
  const Pairing turned{.source = {Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                       .target = {Tensor::of<float>({2, 2}, {1, 3, 2, 4})}};
  EXPECT_EQ(likeness(judge, turned), Likeness::differs);
  ValuePair pair = turned.pair();
  pair.bring_back = [](const Tensor& target, const Shape& source) -> Result<Tensor> {
    const auto numbers = target.as<float>();
    return Tensor::of<float>(source, {numbers[0], numbers[2], numbers[1], numbers[3]});
  };
  EXPECT_EQ(judge.judge(pair).value().likeness, Likeness::equal);
}

TEST(PlainJudge, AnotherFormDiffers) {
  PlainJudge judge({});
  const Pairing other{.source = {Tensor::of<float>({2, 2}, {1, 2, 3, 4})},
                      .target = {Tensor::of<float>({4}, {1, 2, 3, 4})}};
  const auto found = judge.judge(other.pair()).value();
  EXPECT_EQ(found.likeness, Likeness::differs);
  EXPECT_THAT(found.measurement.note, HasSubstr("[2,2]"));
  EXPECT_EQ(likeness(judge, {.target = {}}), Likeness::differs) << "another count of samples";
}

TEST(PlainJudge, TypesAreCastToTheSources) {
  PlainJudge judge({});
  const Pairing wholes{.source = {Tensor::of<std::int64_t>({2}, {1, 200})},
                       .target = {Tensor::of<std::int32_t>({2}, {1, 200})}};
  EXPECT_EQ(likeness(judge, wholes), Likeness::equal);
}

TEST(PlainJudge, TheWorstSampleTells) {
  PlainJudge judge({});
  const Pairing two{.source = {about_one(), about_one()}, .target = {about_one(), about_one(0.1, 1)}};
  EXPECT_EQ(likeness(judge, two), Likeness::differs);
}

TEST(DrawnFloors, NothingIsDrawnWhereNothingDiffers) {
  Moves source = Moves::by(0), target = Moves::by(0);
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(1e-8, 1)}}), Likeness::equal);
  EXPECT_EQ(floors.draws_made(), 0);
}

TEST(DrawnFloors, WhatTheSourcesOwnDrawsDoIsRounding) {
  Moves source = Moves::by(1e-4), target = Moves::by(0);
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(2e-4, 1)}}), Likeness::equal);
  EXPECT_EQ(source.made, 3);
  EXPECT_EQ(target.made, 0);
}

TEST(DrawnFloors, WhatNoDrawDoesDriftsOrDiffers) {
  Moves source = Moves::by(1e-7), target = Moves::by(1e-7);
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 1)}}), Likeness::differs);
  EXPECT_EQ(source.made, 3) << "far beyond the limit, three are enough";
}

TEST(DrawnFloors, DrawsOfAValueAreMadeOnce) {
  Moves source = Moves::by(1e-7), target = Moves::by(1e-7);
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 1)}}), Likeness::differs);
  const auto made = floors.draws_made();
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 2)}}), Likeness::differs);
  EXPECT_EQ(floors.draws_made(), made);
}

TEST(DrawnFloors, WhatTheTargetMakesOfLargerNumbersIsRoundingToo) {
  const auto draws = [](double share, double by) {
    return Moves{.moved = [=](unsigned number, unsigned ulps) {
      return large_and_small(share * ulps, by * ulps, 100 + number);
    }};
  };
  const Pairing cancelled{.source = {large_and_small(0, 0, 1)}, .target = {large_and_small(0, 3e-8, 1)}};
  Moves source = draws(1e-7, 0), target = draws(0, 2e-7), still = draws(1e-7, 0);
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, cancelled), Likeness::equal);
  EXPECT_EQ(target.made, 3);
  floors.change_target(still.draws());
  EXPECT_NE(likeness(floors, cancelled), Likeness::equal);
}

/// One number jumps in the fourth draw first. Till then it hides that what is left may be the target's.
TEST(DrawnFloors, TheTargetIsAskedOnceMoreDrawsLeaveWhatMayBeItsOwn) {
  const auto with_first = [](const Tensor& tensor, float by) {
    std::vector<float> numbers(tensor.as<float>().begin(), tensor.as<float>().end());
    numbers[0] += by;
    return Tensor::of<float>({numbers_of_value}, numbers);
  };
  Moves source{.moved = [&](unsigned number, unsigned ulps) {
    return with_first(large_and_small(1e-5 * ulps, 0, 100 + number), number > 3 ? 4e-3F : 1e-4F);
  }};
  Moves target{.moved = [](unsigned number, unsigned ulps) { return large_and_small(0, 2e-7 * ulps, 100 + number); }};
  DrawnFloors floors({}, source.draws(), target.draws());
  const Pairing pair{.source = {large_and_small(0, 0, 1)}, .target = {with_first(large_and_small(0, 3e-8, 1), 3e-3F)}};
  EXPECT_EQ(likeness(floors, pair), Likeness::equal);
  EXPECT_GT(source.made, 3);
  EXPECT_EQ(target.made, 3);
}

TEST(DrawnFloors, ASideThatCannotBeDrawnIsNot) {
  DrawnFloors floors({}, {}, {});
  EXPECT_EQ(likeness(floors, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  Moves source = Moves::by(1e-4);
  DrawnFloors none({.draws = 0}, source.draws(), source.draws());
  EXPECT_EQ(likeness(none, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  EXPECT_EQ(source.made, 0);
}

TEST(DrawnFloors, ErrorsOfRunsAreGivenOn) {
  class Stopped : public Elements {
   public:
    Result<std::vector<Tensor>> of(int) override { return fail(ErrorKind::interrupted, "interrupted"); }
  };
  DrawnFloors floors({}, [](const Perturbation&) { return std::make_unique<Stopped>(); }, {});
  const Pairing wrong{.target = {about_one(0.1, 1)}};
  const auto found = floors.judge(wrong.pair());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
