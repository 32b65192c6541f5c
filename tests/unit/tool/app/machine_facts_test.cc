#include "app/machine_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>

namespace culprit {
namespace {

TEST(MachineTest, IsKnown) {
  const Machine machine = this_machine();
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory, 100'000'000U);
  EXPECT_FALSE(machine.os.empty() || machine.cpu.empty());
  EXPECT_TRUE(free_disk("/tmp/not/there/yet").has_value());
  EXPECT_TRUE(std::filesystem::exists(own_program()));
}

TEST(JobsAtOnce, AreAsManyAsWereAskedForOrOneForEachCore) {
  EXPECT_EQ(jobs_at_once(3), 3);
  EXPECT_EQ(jobs_at_once(0), static_cast<std::size_t>(this_machine().cores));
}

}  // namespace
}  // namespace culprit
