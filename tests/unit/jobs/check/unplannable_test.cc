// What a check does with a plan that cannot be made, or that is empty.
#include "bench.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

using PlanInCheck = Bench;

TEST_F(PlanInCheck, AnUnknownPassIsAUsageErrorWithTheClosestName) {
  options.each = {"outsid"};
  const auto report = try_check();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::usage);
  EXPECT_EQ(report.error().text(), "--each: there is no pass 'outsid'. did you mean 'outside'?");
  EXPECT_THAT(executor.ran, SizeIs(0)) << "nothing was started";
  options.each.clear();
  options.recipe = {"a", "nonsense_altogether"};
  EXPECT_THAT(try_check().error().text(), HasSubstr("--passes: there is no pass 'nonsense_altogether'"));
}

TEST_F(PlanInCheck, NoBundleNoVariant) {
  for (PassInfo& pass : passes) pass.in_bundle = false;
  EXPECT_TRUE(check().variants.empty());
}

}  // namespace
}  // namespace culprit
