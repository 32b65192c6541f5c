#include <gtest/gtest.h>

#include "runtime/level.h"

namespace culprit {
namespace {

TEST(Level, NamesGoBothWays) {
  for (const Level level : {Level::off, Level::basic, Level::extended, Level::layout, Level::all})
    EXPECT_EQ(level_named(name_of(level)), level);
  EXPECT_EQ(name_of(Level::off), "off");
  EXPECT_EQ(name_of(static_cast<Level>(42)), "unknown");
}

TEST(Level, OtherNamesAreNone) {
  for (const char* name : {"", "Off", "99", "unknown", "all "}) EXPECT_FALSE(level_named(name)) << name;
}

}  // namespace
}  // namespace culprit
