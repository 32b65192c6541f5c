#include <gtest/gtest.h>

#include "support/golden.h"
#include "task/average_precision.h"

namespace culprit {
namespace {

Box box_of(const nlohmann::json& row) {
  const double x = row[2].get<double>() / 4, y = row[3].get<double>() / 4;
  return {x, y, x + row[4].get<double>() / 4, y + row[5].get<double>() / 4};
}

struct Picture {
  std::vector<Detection> found;
  std::vector<TruthBox> there;
};

std::vector<Picture> pictures_of(const nlohmann::json& one) {
  std::vector<Picture> pictures(one["images"].get<std::size_t>());
  for (const auto& row : one["truths"])
    pictures[row[0]].there.push_back({box_of(row), row[1].get<std::int64_t>(), row[6] == 1, false});
  for (const auto& row : one["found"])
    pictures[row[0]].found.push_back({box_of(row), row[1].get<std::int64_t>(), row[6].get<double>()});
  return pictures;
}

PrecisionResult precision_of(const nlohmann::json& one, const MatchOptions& options) {
  AveragePrecision precision;
  std::int64_t number = 0;
  for (const Picture& picture : pictures_of(one))
    EXPECT_TRUE(precision.add(number++, match_boxes(picture.found, picture.there, options)));
  return precision.result().value();
}

/// COCO's areas: all, small, medium, large.
constexpr std::array<std::pair<double, double>, 4> areas{{{0, 1e10}, {0, 1024}, {1024, 9216}, {9216, 1e10}}};

TEST(DetectionGolden, PrecisionAndRecallArePycocotools) {
  int compared = 0;
  for (const auto& one : golden("detection", "cases")) {
    for (std::size_t area = 0; area < areas.size(); ++area) {
      const MatchOptions options{one["most_boxes"].get<std::size_t>(), areas[area].first, areas[area].second};
      const PrecisionResult result = precision_of(one, options);
      const auto& wanted = one["results"][area];
      for (std::size_t t = 0; t < iou_thresholds; ++t) {
        EXPECT_EQ(wanted["ap"][t].is_null(), !result.ap_50.has_value());
        if (wanted["ap"][t].is_null()) continue;
        EXPECT_NEAR(result.ap_at[t], wanted["ap"][t].get<double>(), golden_error) << area << " " << t;
        EXPECT_NEAR(result.recall_at[t], wanted["ar"][t].get<double>(), golden_error) << area << " " << t;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 150);
}

TEST(DetectionGolden, PrecisionOfEachClassIsPycocotools) {
  std::size_t number = 0, compared = 0;
  const auto wanted = golden("curves", "detection_by_class");
  for (const auto& one : golden("detection", "cases")) {
    const auto& of_case = wanted[number++];
    const PrecisionResult result = precision_of(one, {.most_boxes = one["most_boxes"].get<std::size_t>()});
    ASSERT_EQ(result.classes.size(), of_case.size());
    for (std::size_t i = 0; i < of_case.size(); ++i) {
      const ClassPrecision& its = result.classes[i];
      EXPECT_EQ(its.label, of_case[i][0].get<std::int32_t>());
      EXPECT_GT(its.there, 0);
      EXPECT_NEAR(its.ap_50, of_case[i][1].get<double>(), golden_error);
      EXPECT_NEAR(its.ap_75, of_case[i][2].get<double>(), golden_error);
      EXPECT_NEAR(its.ap_50_95, of_case[i][3].get<double>(), golden_error);
      EXPECT_NEAR(its.recall, of_case[i][4].get<double>(), golden_error);
      ++compared;
    }
  }
  EXPECT_GT(compared, 10U);
}

/// pycocotools looks at 100 boxes of a picture, so that an exact copy of 150 has 0.66. Here all count.
TEST(DetectionGolden, ACopyOf150BoxesIsPerfect) {
  const auto cases = golden("detection", "cases");
  EXPECT_NEAR(precision_of(cases.back(), {.most_boxes = 100}).ap_50->value, 0.66, 0.01);
  const PrecisionResult all = precision_of(cases.back(), {});
  EXPECT_EQ(all.ap_50->value, 1);
  EXPECT_EQ(all.ap_50_95->value, 1);
  EXPECT_EQ(all.recall->value, 1);
}

}  // namespace
}  // namespace culprit
