#include "base/meant_word.h"

#include <gtest/gtest.h>

#include <vector>

namespace culprit {
namespace {

const std::vector<std::string> passes{"fuse_bn_into_conv", "fuse_pad_into_conv", "eliminate_identity", "detection"};

TEST(MeantWord, ATypingMistakeIsFirst) { EXPECT_EQ(meant_word("eliminate_identty", passes), "eliminate_identity"); }

TEST(MeantWord, AWordMayBeShortForAnother) {
  EXPECT_EQ(meant_word("fuse_bn_conv", passes), "fuse_bn_into_conv");
  EXPECT_EQ(meant_word("detect", passes), "detection");
  EXPECT_EQ(meant_word("elim-ident", passes), "eliminate_identity");
}

TEST(MeantWord, PartsInAnotherOrderAndShortWordsTellNothing) {
  EXPECT_EQ(meant_word("conv_fuse_bn", passes), "");
  EXPECT_EQ(meant_word("fus", passes), "");
  EXPECT_EQ(meant_word("", passes), "");
  EXPECT_EQ(did_you_mean("nonsense", passes), "");
}

TEST(MeantWord, IsSaidAsAQuestion) { EXPECT_EQ(did_you_mean("detect", passes), "; did you mean detection?"); }

}  // namespace
}  // namespace culprit
