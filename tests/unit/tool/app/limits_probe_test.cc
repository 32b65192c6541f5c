#include "app/limits_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;

TEST(LimitsProbe, ReadsWhatTheWorkerSays) {
  const MachineLimits limits{9.5e10, 1.03e10, 2, "AVX-512", 520'000'000, 260'000'000};
  const auto read = limits_in("some library warned of something\n" + words_of_limits(limits) + "and of more\n");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, limits);
}

TEST(LimitsProbe, WhatMakesNoSenseIsNoLimit) {
  for (const char* words : {"", "culprit-limits ", "culprit-limits []", "culprit-limits {\"flops\": 1}",
                            "culprit-limits {\"flops\":0,\"bandwidth\":1,\"threads\":1,\"instructions\":\"x\","
                            "\"buffer_bytes\":1,\"cache_bytes\":1}",
                            "culprit-limits {\"flops\":\"fast\",\"bandwidth\":1,\"threads\":1,\"instructions\":\"x\","
                            "\"buffer_bytes\":1,\"cache_bytes\":1}"}) {
    const auto read = limits_in(words);
    ASSERT_FALSE(read) << words;
    EXPECT_THAT(read.error().message, HasSubstr("the process that measures the machine's limits said: "));
  }
}

}  // namespace
}  // namespace culprit
