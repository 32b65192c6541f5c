#include "base/json_depth.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(JsonDepth, IsOfBracketsOutsideOfTexts) {
  EXPECT_EQ(json_depth(""), 0);
  EXPECT_EQ(json_depth("3"), 0);
  EXPECT_EQ(json_depth(R"([{"a": [1]}, []])"), 3);
  EXPECT_EQ(json_depth(R"(["[[[\"[[\\", "{{"])"), 1);
  EXPECT_EQ(json_depth("]]]["), 0);
  EXPECT_EQ(json_depth(R"("\)"), 0);
}

}  // namespace
}  // namespace culprit
