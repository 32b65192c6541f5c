#include "profile/baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<ProfiledRow> rows_of_models(const std::vector<std::size_t>& models) {
  std::vector<ProfiledRow> rows(models.size());
  for (std::size_t i = 0; i < models.size(); ++i) rows[i].model = models[i];
  return rows;
}

TEST(Baselines, AreTheFirstRowOfEachModelWhereModelsHaveSeveral) {
  EXPECT_THAT(baselines_of(rows_of_models({0, 0, 0, 1, 1, 1}), std::vector<MadeRow>(6), {}),
              ElementsAre(0, 0, 0, 3, 3, 3));
}

TEST(Baselines, AreTheFirstRowOfAllWhereEachModelHasOne) {
  EXPECT_THAT(baselines_of(rows_of_models({0, 1, 2}), std::vector<MadeRow>(3), {}), ElementsAre(0, 0, 0));
  EXPECT_THAT(baselines_of(rows_of_models({0, 0, 0}), std::vector<MadeRow>(3), {}), ElementsAre(0, 0, 0));
}

TEST(Baselines, AreTheNamedOneForAll) {
  EXPECT_THAT(baselines_of(rows_of_models({0, 0, 1, 1}), std::vector<MadeRow>(4), 1), ElementsAre(1, 1, 1, 1));
}

TEST(Baselines, AreRowsThatLoadWhereThereAreAny) {
  std::vector<MadeRow> made(6);
  for (const std::size_t i : {2, 4, 5}) made[i].failure = {Ending::threw, "does not load", ""};
  EXPECT_THAT(baselines_of(rows_of_models({0, 0, 1, 1, 2, 2}), made, {}), ElementsAre(0, 0, 3, 3, 4, 4));
}

TEST(Baselines, ComeFirstOfTheRowsThatHaveThem) {
  EXPECT_THAT(with_one_baseline({0, 0, 3, 3}), ElementsAre(ElementsAre(0, 1), ElementsAre(3, 2)));
  EXPECT_THAT(with_one_baseline({2, 2, 2}), ElementsAre(ElementsAre(2, 0, 1)));
  EXPECT_THAT(with_one_baseline({0}), ElementsAre(ElementsAre(0)));
}

TEST(RowsThatLoad, KeepTheirOrderAndFailuresDoNotCome) {
  std::vector<MadeRow> made(4);
  made[1].failure = {Ending::threw, "no such operator", ""};
  EXPECT_THAT(rows_that_load({2, 0, 1, 3}, made), ElementsAre(2, 0, 3));
}

}  // namespace
}  // namespace culprit
