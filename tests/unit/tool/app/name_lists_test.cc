#include "app/name_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NameLists, NamesAreSplitAtCommas) {
  EXPECT_THAT(*name_list("--each", {}), IsEmpty());
  EXPECT_THAT(*name_list("--each", {"a, b", "c"}), ElementsAre("a", "b", "c"));
  for (const char* text : {"", ",", "a,,b", "a,", " "}) EXPECT_FALSE(name_list("--each", {text})) << text;
}

TEST(NameLists, WhatIsNamedTwiceIsRefused) {
  EXPECT_TRUE(each_once("--levels", {"off", "all"}));
  EXPECT_EQ(each_once("--levels", {"off", "all", "off"}).error().text(),
            "--levels off,all,off: 'off' is named twice. name each once");
}

}  // namespace
}  // namespace culprit
