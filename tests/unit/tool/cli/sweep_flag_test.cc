#include "cli/sweep_flag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string refused_sweep(const std::vector<std::string>& typed) {
  const auto settings = sweep_settings(typed);
  if (settings) return "it was taken";
  EXPECT_EQ(settings.error().kind, ErrorKind::usage);
  EXPECT_THAT(settings.error().hint, HasSubstr("--sweep batch=1,2,4,8"));
  return settings.error().message;
}

TEST(SweepFlag, NumbersStayInTheirOrder) {
  const auto settings = sweep_settings({"batch=8,1, 2", "threads=4"});
  ASSERT_TRUE(settings);
  EXPECT_THAT(settings->batches, ElementsAre(8, 1, 2));
  EXPECT_THAT(settings->threads, ElementsAre(4));
  EXPECT_THAT(sweep_settings({"threads=1,2"})->batches, IsEmpty());
  EXPECT_TRUE(sweep_settings({})->empty());
}

TEST(SweepFlag, WhatIsWrongIsSaid) {
  EXPECT_EQ(refused_sweep({"1,2"}), "--sweep 1,2: what is swept is batch or threads");
  EXPECT_EQ(refused_sweep({"size=1"}), "--sweep size=1: what is swept is batch or threads");
  EXPECT_EQ(refused_sweep({"batch="}), "--sweep batch=: no number is named");
  EXPECT_EQ(refused_sweep({"batch=1,,2"}), "--sweep batch=1,,2: '' is no whole number from 1 to 1000000");
  EXPECT_EQ(refused_sweep({"threads=0"}), "--sweep threads=0: '0' is no whole number from 1 to 1024");
  EXPECT_EQ(refused_sweep({"batch=2,4,2"}), "--sweep batch=2,4,2: 2 is named twice");
  EXPECT_EQ(refused_sweep({"batch=2", "batch=4"}), "--sweep batch=4: batch was given before");
}

}  // namespace
}  // namespace culprit
