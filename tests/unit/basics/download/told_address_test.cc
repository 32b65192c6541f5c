#include "download/told_address.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

TEST(ToldAddress, HasNoSecrets) {
  EXPECT_EQ(told_address("https://host/a/b.onnx"), "https://host/a/b.onnx");
  EXPECT_EQ(told_address("https://me:secret@host:8443/a"), "https://host:8443/a");
  EXPECT_EQ(told_address("https://me:se@cret@host"), "https://host");
  EXPECT_EQ(told_address("https://token@host?x=1"), "https://host?...");
  EXPECT_EQ(told_address("https://host/a?X-Amz-Signature=00ff&x=@"), "https://host/a?...");
}

TEST(ToldAddress, TakesWhatIsNone) {
  EXPECT_EQ(told_address(""), "");
  EXPECT_EQ(told_address("://"), "://");
  EXPECT_EQ(told_address("me:secret@host/a"), "host/a");
  EXPECT_EQ(told_address("https://host/a@b"), "https://host/a@b");
  EXPECT_EQ(told_address("?"), "?...");
  EXPECT_EQ(told_address("https://a\nb"), "https://a b");
}

}  // namespace
}  // namespace culprit
