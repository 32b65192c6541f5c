#include "cli/commands/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

const std::vector<PassInfo> two_passes{
    {"fuse_bn_into_conv", "fuse", Contract::equivalent, true, true,
     "Folds a BatchNormalization into the Conv before it, which changes its weights, and so may change the last bits"},
    {"split_init", "other", Contract::partition, false, false, "Keeps the part of the model that needs no input"}};

TEST(Passes, AsATable) {
  EXPECT_EQ(passes_as_text(two_passes, 80),
            "pass               kind       contract    default\n"
            "fuse_bn_into_conv  fuse       equivalent  yes\n"
            "    Folds a BatchNormalization into the Conv before it, which changes its\n"
            "    weights, and so may change the last bits\n"
            "split_init         other      partition   no\n"
            "    Keeps the part of the model that needs no input\n"
            "2 passes, 1 of them default passes. Contracts: equivalent (same interface, same\n"
            "values), interface (may rename or cast inputs and outputs), partition (half a\n"
            "model by design).\n");
}

TEST(Passes, AsJson) {
  const auto array = nlohmann::json::parse(passes_as_json(two_passes));
  ASSERT_EQ(array.size(), 2U);
  EXPECT_EQ(array[1], (nlohmann::json{{"name", "split_init"},
                                      {"kind", "other"},
                                      {"contract", "partition"},
                                      {"in_bundle", false},
                                      {"help", two_passes[1].help}}));
  EXPECT_EQ(passes_as_names(two_passes), "fuse_bn_into_conv\nsplit_init\n");
}

}  // namespace
}  // namespace culprit
