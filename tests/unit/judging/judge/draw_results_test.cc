#include "judge/draw_results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "support/not_numbers.h"
#include "unit/judging/judge/tensors.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Key;

Tensor labels(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

TEST(DrawnNumbers, KeepTheTwoFurthestByElement) {
  Drawn drawn;
  const Tensor r = floats({1, 2, 3});
  for (const auto& draw : {floats({1, 2.5F, 3}), floats({1, 1.75F, 3}), floats({1, 2, 3.5F})})
    add_draw(drawn, r, draw, 1);
  EXPECT_EQ(drawn.draws, 3);
  EXPECT_THAT(drawn.reach, ElementsAre(0, 0.5F, 0.5F));
  EXPECT_THAT(drawn.second, ElementsAre(0, 0.25F, 0));
}

TEST(DrawnNumbers, TellTheMostThatADrawDidToManyAlike) {
  const Tensor r = floats(std::vector<float>(64, 2));
  Drawn drawn;
  add_draw(drawn, r, floats(std::vector<float>(64, 2.5F)), 4);
  add_draw(drawn, r, floats(std::vector<float>(64, 2.0625F)), 1);
  EXPECT_EQ(std::ranges::max(drawn.shared.errors), 8) << "64 x 0.5, and a quarter of it";
  EXPECT_EQ(std::ranges::max(drawn.shared.products), 16);
  Drawn few;
  add_draw(few, floats({1, 2}), floats({2, 3}), 1);
  EXPECT_THAT(few.shared.errors, IsEmpty());
}

TEST(DrawnNumbers, OfADrawByFourUnitsCountAQuarter) {
  Drawn drawn;
  add_draw(drawn, floats({1}), floats({3}), 4);
  EXPECT_THAT(drawn.reach, ElementsAre(0.5F));
  Drawn stepped{.nature = Nature::stepped};
  add_draw(stepped, labels({7}), labels({9}), 4);
  EXPECT_THAT(stepped.reach, ElementsAre(2)) << "a jump is as long in any draw";
}

TEST(DrawnNumbers, ThatNothingMovesTakeNoRoom) {
  Drawn drawn;
  add_draw(drawn, floats({1, nan_f, infinity_f}), floats({1, nan_f, infinity_f}), 1);
  EXPECT_EQ(drawn.draws, 1);
  EXPECT_THAT(drawn.reach, IsEmpty());
  EXPECT_TRUE(drawn.flips.empty());
}

TEST(DrawnFlips, TellWhichKindsCameAndHowOften) {
  Drawn drawn;
  const Tensor r = floats({1, infinity_f, nan_f});
  add_draw(drawn, r, floats({nan_f, 8, nan_f}), 1);
  add_draw(drawn, r, floats({infinity_f, 4, nan_f}), 1);
  EXPECT_EQ(drawn.flips.size(), 2U);
  EXPECT_EQ(drawn.flips.at(0).nan.times, 1);
  EXPECT_EQ(drawn.flips.at(0).plus.times, 1);
  EXPECT_EQ(drawn.flips.at(0).plus.last, 1);
  EXPECT_EQ(drawn.flips.at(0).minus.times + drawn.flips.at(0).finite.times, 0);
  EXPECT_EQ(drawn.flips.at(1).finite.times, 2);
  EXPECT_EQ(drawn.flips.at(1).lowest, 4);
  EXPECT_EQ(drawn.flips.at(1).highest, 8);
}

TEST(DrawnNames, AreThoseThatDrawsGave) {
  Drawn drawn{.nature = Nature::named};
  add_draw(drawn, labels({3, 4}), labels({7, 4}), 1);
  add_draw(drawn, labels({3, 4}), labels({9, 4}), 4);
  EXPECT_THAT(drawn.flips.at(0).values, ElementsAre(Key(7), Key(9)));
  EXPECT_FALSE(drawn.flips.contains(1));
  Drawn texts{.nature = Nature::named};
  add_draw(texts, Tensor::from_strings({2}, {"cat", "dog"}).value(), Tensor::from_strings({2}, {"cow", "dog"}).value(),
           1);
  EXPECT_THAT(texts.flips.at(0).texts, ElementsAre(Key("cow")));
}

TEST(DrawnSizes, CountForNoElement) {
  Drawn drawn;
  add_draw(drawn, floats({1, 2}), floats({1, 2, 3}), 1);
  EXPECT_EQ(drawn.draws, 0);
  EXPECT_EQ(drawn.discarded, 1);
  EXPECT_THAT(drawn.resized, ElementsAre(1));
  add_draw(drawn, floats({1, 2}), Tensor::of<double>({2}, {1, 2}), 1);
  EXPECT_EQ(drawn.discarded, 2);
}

TEST(NatureFor, HangsOnTheTypeAsWell) {
  EXPECT_EQ(nature_for(DType::f32, Nature::named), Nature::stepped);
  EXPECT_EQ(nature_for(DType::f32, Nature::smooth), Nature::smooth);
  EXPECT_EQ(nature_for(DType::i64, Nature::stepped), Nature::stepped);
  EXPECT_EQ(nature_for(DType::i64, Nature::smooth), Nature::named) << "nothing is known of it";
  EXPECT_EQ(nature_for(DType::boolean, Nature::stepped), Nature::named);
  EXPECT_EQ(nature_for(DType::string, Nature::smooth), Nature::named);
}

}  // namespace
}  // namespace culprit
