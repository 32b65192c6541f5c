// Which other decisions does a draw of rounding excuse?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

/// Does a draw that gave `draw` excuse a variant that gave `variant`?
bool is_tie(const std::string& name, const Outputs& reference, const Outputs& variant, const Outputs& draw) {
  const auto task = make_task(name, facts_of(reference)).value();
  return task
      ->changes_alike(*task->decide(reference).value(), *task->decide(variant).value(), *task->decide(draw).value())
      .value();
}

TEST(Ties, ALabelIsExcusedByTheSameLabelAlone) {
  const auto prob = [](const Floats& row) { return output_of("prob", {1, 3}, row); };
  const Outputs reference = prob({0.40F, 0.39F, 0.21F});
  const Outputs variant = prob({0.39F, 0.40F, 0.21F});
  EXPECT_TRUE(is_tie("classification", reference, variant, prob({0.3F, 0.6F, 0.1F})));
  EXPECT_FALSE(is_tie("classification", reference, variant, reference)) << "the draw changes nothing";
  EXPECT_FALSE(is_tie("classification", reference, variant, prob({0.3F, 0.1F, 0.6F}))) << "to another label";
}

TEST(Ties, OfSeveralRowsTheSurestCounts) {
  const auto rows = [](const Floats& all) { return output_of("prob", {2, 2}, all); };
  const Outputs reference = rows({0.51F, 0.49F, 0.9F, 0.1F}), variant = rows({0.49F, 0.51F, 0.1F, 0.9F});
  EXPECT_FALSE(is_tie("classification", reference, variant, rows({0.49F, 0.51F, 0.9F, 0.1F})));
  EXPECT_TRUE(is_tie("classification", reference, variant, rows({0.51F, 0.49F, 0.4F, 0.6F})));
}

TEST(Ties, PixelsAreExcusedByOthersThatWereAsSure) {
  // Scores of the first class for three pixels; the nine others are sure of it.
  const auto mask = [](Floats scores) {
    scores.resize(12, 0.9F);
    for (std::size_t pixel = 0; pixel < 12; ++pixel) scores.push_back(1 - scores[pixel]);
    return output_of("mask", {1, 2, 3, 4}, scores);
  };
  // Of the three pixels the first is nearly a tie, the second less so, the third is sure.
  const Outputs reference = mask({0.51F, 0.55F, 0.9F});
  const Outputs first = mask({0.4F, 0.55F, 0.9F});
  const Outputs second = mask({0.51F, 0.4F, 0.9F});
  const Outputs third = mask({0.51F, 0.55F, 0.1F});
  EXPECT_TRUE(is_tie("segmentation", reference, first, second));
  EXPECT_FALSE(is_tie("segmentation", reference, third, second));
}

}  // namespace
}  // namespace culprit
