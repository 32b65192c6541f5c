#include "profile/blame/blame_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ProfileReport with_verdicts(const std::vector<SpeedVerdict>& verdicts) {
  ProfileReport report;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    ProfileEntry& entry = report.entries.emplace_back();
    entry.name = std::string(1, static_cast<char>('a' + i));
    entry.verdict = verdicts[i];
    entry.ratio.value = 1.0 / static_cast<double>(i + 1);
  }
  return report;
}

TEST(BlameRows, AreTheSlowerOnesElseTheFastest) {
  using enum SpeedVerdict;
  EXPECT_THAT(rows_to_blame(with_verdicts({baseline, slower, faster, slower})), ElementsAre(1, 3));
  EXPECT_THAT(rows_to_blame(with_verdicts({baseline, faster, faster, same})), ElementsAre(2));
}

TEST(BlameRows, WhereNothingIsAskedItIsSaidWhy) {
  using enum SpeedVerdict;
  EXPECT_FALSE(nothing_to_blame(with_verdicts({baseline, slower, same})));
  const auto same_row = nothing_to_blame(with_verdicts({baseline, same}));
  ASSERT_TRUE(same_row);
  EXPECT_EQ(same_row->code, "nothing_to_blame");
  EXPECT_THAT(same_row->message, HasSubstr("'b' is as fast as the baseline"));
  EXPECT_THAT(nothing_to_blame(with_verdicts({baseline, same, ambiguous}))->message,
              AllOf(HasSubstr("'b' is as fast"), HasSubstr("of 'c' nobody can tell")));
  EXPECT_THAT(nothing_to_blame(with_verdicts({baseline, failed}))->message, HasSubstr("no row beside the baseline"));
}

}  // namespace
}  // namespace culprit
