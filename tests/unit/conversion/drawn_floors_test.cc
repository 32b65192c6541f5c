#include "conversion/readings/drawn_floors.h"

#include <gmock/gmock.h>

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

/// Draws that move what `moves` says.
struct Moves {
  double by = 0;
  int made = 0;

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
      return std::make_unique<Moved>(about_one(by * perturbation.ulps, 100 + static_cast<unsigned>(perturbation.seed)));
    };
  }
};

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
  Moves source, target;
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(1e-8, 1)}}), Likeness::equal);
  EXPECT_EQ(floors.draws_made(), 0);
}

TEST(DrawnFloors, WhatTheSourcesOwnDrawsDoIsRounding) {
  Moves source{.by = 1e-4}, target;
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(2e-4, 1)}}), Likeness::equal);
  EXPECT_EQ(source.made, 3);
  EXPECT_EQ(target.made, 0);
}

TEST(DrawnFloors, WhatNoDrawDoesDriftsOrDiffers) {
  Moves source{.by = 1e-7}, target{.by = 1e-7};
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 1)}}), Likeness::differs);
  EXPECT_EQ(source.made, 3) << "far beyond the limit, three are enough";
}

TEST(DrawnFloors, DrawsOfAValueAreMadeOnce) {
  Moves source{.by = 1e-7}, target{.by = 1e-7};
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 1)}}), Likeness::differs);
  const auto made = floors.draws_made();
  EXPECT_EQ(likeness(floors, {.target = {about_one(0.1, 2)}}), Likeness::differs);
  EXPECT_EQ(floors.draws_made(), made);
}

TEST(DrawnFloors, WhatTheTargetsDrawsDoIsRoundingToo) {
  Moves source{.by = 1e-7}, target{.by = 1e-4};
  DrawnFloors floors({}, source.draws(), target.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(2e-4, 1)}}), Likeness::equal);
  Moves still{.by = 1e-7};
  floors.change_target(still.draws());
  EXPECT_EQ(likeness(floors, {.target = {about_one(2e-4, 1)}}), Likeness::drifts);
}

TEST(DrawnFloors, ASideThatCannotBeDrawnIsNot) {
  DrawnFloors floors({}, {}, {});
  EXPECT_EQ(likeness(floors, {.target = {about_one(3e-4, 1)}}), Likeness::drifts);
  Moves source{.by = 1e-4};
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
