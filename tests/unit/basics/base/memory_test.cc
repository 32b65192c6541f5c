#include "base/memory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "base/file.h"
#include "record/report.h"

namespace culprit {
namespace {

TEST(Memory, ThePeakGrowsWithWhatIsTouchedAndStays) {
  const std::uint64_t before = peak_resident_bytes();
  ASSERT_GT(before, 0U);
  constexpr std::size_t size = std::size_t{256} << 20;
  {
    const std::vector<char> touched(size, 1);
    ASSERT_EQ(touched.back(), 1);
  }
  EXPECT_GE(peak_resident_bytes(), size);
}

class Groups : public testing::Test {
 protected:
  Groups() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-groups").value()) {}

  void put(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text << "\n";
  }
  [[nodiscard]] std::optional<std::uint64_t> limit() const { return cgroup_memory_limit(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Groups, NoneIsNoLimit) {
  EXPECT_FALSE(limit());
  put("proc/self/cgroup", "0::/");
  EXPECT_FALSE(limit());
  put("sys/fs/cgroup/memory.max", "max");
  EXPECT_FALSE(limit());
}

TEST_F(Groups, OfVersion2TheLeastOfThePathCounts) {
  put("proc/self/cgroup", "0::/slice/own");
  put("sys/fs/cgroup/slice/own/memory.max", "max");
  put("sys/fs/cgroup/slice/memory.max", "4000");
  put("sys/fs/cgroup/memory.max", "9000");
  put("sys/fs/cgroup/slice/other/memory.max", "1");
  EXPECT_EQ(limit(), 4000U);
  put("sys/fs/cgroup/slice/own/memory.max", "3000");
  EXPECT_EQ(limit(), 3000U);
}

TEST_F(Groups, OfVersion1TheLeastOfThePathCounts) {
  put("proc/self/cgroup", "5:cpu,cpuacct:/elsewhere\n4:hugetlb,memory:/slice/own\n0::/");
  put("sys/fs/cgroup/memory/slice/own/memory.limit_in_bytes", "9223372036854771712");
  put("sys/fs/cgroup/memory/slice/memory.limit_in_bytes", "4000");
  put("sys/fs/cgroup/memory/elsewhere/memory.limit_in_bytes", "1");
  EXPECT_EQ(limit(), 4000U);
}

TEST_F(Groups, AContainerSeesItsOwnAtTheRootOfTheMount) {
  put("proc/self/cgroup", "0::/docker/0123");
  put("sys/fs/cgroup/memory.max", "5000");
  EXPECT_EQ(limit(), 5000U);
}

TEST(Memory, WhatIsUsableIsNoMoreThanThereIs) {
  EXPECT_GT(usable_memory(), 0U);
  EXPECT_LE(usable_memory(), physical_memory());
}

}  // namespace
}  // namespace culprit
