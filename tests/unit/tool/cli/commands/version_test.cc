#include "cli/commands/version.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(Version, NamesEveryLibrary) {
  const auto versions = library_versions();
  EXPECT_EQ(versions.size(), 15U);
  for (const auto& [name, version] : versions)
    EXPECT_THAT(version, ::testing::MatchesRegex("[0-9]+\\.[0-9]+(\\.[0-9]+.*)?")) << name;
}

}  // namespace
}  // namespace culprit
