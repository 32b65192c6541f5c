#include "worker/run_recipes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<PassInfo> passes() {
  std::vector<PassInfo> passes(3);
  passes[0].name = "p";
  passes[1].name = "q";
  passes[2].name = "full";
  passes[0].by_predicate = passes[1].by_predicate = true;
  return passes;
}

OptimizeJob job_of(const std::vector<std::vector<std::string>>& recipes) {
  OptimizeJob job;
  for (const auto& one : recipes) job.recipes.push_back({"", one, Repeat::once});
  return job;
}

TEST(Recipes, EachPredicateIsAskedOnce) {
  EXPECT_THAT(scannable(job_of({{}, {"q", "full"}, {"p", "q"}, {"p", "unknown"}}), passes()), ElementsAre("q", "p"));
}

TEST(Recipes, OnlyWhatCannotActIsSkipped) {
  const OptimizeJob job = job_of({{}, {"p"}, {"q"}, {"p", "q"}, {"p", "p"}, {"full"}, {"p", "full"}, {"unknown"}});
  EXPECT_THAT(to_do(job, passes(), {"q"}), ElementsAre(true, false, true, true, false, true, true, true));
}

}  // namespace
}  // namespace culprit
