#include "stream/told_bytes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace culprit {
namespace {

ToldModel told_model() {
  ToldDecision decision{"label 7 (cat)", "cat", {{"cat", 0.5}, {"dog", 0.25}}, {{1, 2, 3, 4, "cat", 0.75}},
                        "dog",           false};
  return {decision, true, 0.125};
}

TEST(ToldBytes, ComeBackAsTheyWere) {
  StateWriter bytes;
  write_told(bytes, told_model());
  write_told(bytes, {});
  const std::string text = bytes.take();
  StateReader reader(text);
  const ToldModel read = read_told(reader), failed = read_told(reader);
  EXPECT_TRUE(reader.is_at_end());
  EXPECT_FALSE(failed.decision.has_value());
  ASSERT_TRUE(read.decision.has_value());
  EXPECT_TRUE(read.is_changed);
  EXPECT_EQ(read.margin, 0.125);
  EXPECT_EQ(read.decision->words, "label 7 (cat)");
  EXPECT_EQ(read.decision->truth, "dog");
  EXPECT_EQ(read.decision->is_right, false);
  EXPECT_EQ(read.decision->best.at(1).name, "dog");
  EXPECT_EQ(read.decision->boxes.at(0).y1, 4);
  EXPECT_EQ(read.decision->boxes.at(0).name, "cat");
}

TEST(ToldBytes, CutAnywhereTheyAreRefused) {
  StateWriter bytes;
  write_told(bytes, told_model());
  const std::string text = bytes.take();
  for (std::size_t length = 0; length < text.size(); ++length) {
    StateReader reader(std::string_view(text).substr(0, length));
    read_told(reader);
    EXPECT_FALSE(reader.is_at_end()) << length;
  }
}

}  // namespace
}  // namespace culprit
