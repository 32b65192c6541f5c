#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "optimizer/onnx_optimizer/help.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

std::map<std::string, PassInfo> by_name() {
  std::map<std::string, PassInfo> passes;
  for (const auto& pass : make_onnx_optimizer()->passes()) passes.emplace(pass.name, pass);
  return passes;
}

TEST(Catalog, NamesTheOptimizer) {
  EXPECT_EQ(make_onnx_optimizer()->name(), "onnx_optimizer");
  EXPECT_THAT(make_onnx_optimizer()->version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+.*"));
}

TEST(Catalog, KnowsKindsContractsAndBundle) {
  const auto passes = by_name();
  ASSERT_GE(passes.size(), 48U);
  EXPECT_EQ(passes.size(), make_onnx_optimizer()->passes().size());
  EXPECT_EQ(passes.at("fuse_bn_into_conv").kind, "fuse");
  EXPECT_EQ(passes.at("eliminate_nop_pad").kind, "eliminate");
  EXPECT_EQ(passes.at("split_init").kind, "separate");
  EXPECT_EQ(passes.at("replace_einsum_with_matmul").kind, "replace");
  EXPECT_EQ(passes.at("rename_input_output").kind, "other");
  for (const auto& [name, pass] : passes) {
    const bool may_change_interface = name == "rename_input_output" || name == "rewrite_input_dtype";
    const bool is_split = name == "split_init" || name == "split_predict";
    EXPECT_EQ(pass.contract, is_split               ? Contract::partition
                             : may_change_interface ? Contract::interface
                                                    : Contract::equivalent)
        << name;
    EXPECT_EQ(pass.in_bundle, pass.kind == "fuse" || pass.kind == "eliminate") << name;
  }
}

TEST(Catalog, NineStandOutsideTheBundle) {
  std::set<std::string> outside;
  for (const auto& [name, pass] : by_name()) {
    if (!pass.in_bundle) outside.insert(name);
  }
  for (const char* name :
       {"adjust_add", "rename_input_output", "set_unique_name_for_nodes", "replace_einsum_with_matmul",
        "adjust_slice_and_matmul", "lift_lexical_references", "split_init", "split_predict", "rewrite_input_dtype"}) {
    EXPECT_TRUE(outside.contains(name)) << name;
  }
}

TEST(Catalog, TellsFullGraphPasses) {
  const auto passes = by_name();
  const std::set<std::string> full_graph{"nop",
                                         "eliminate_common_subexpression",
                                         "eliminate_deadend",
                                         "eliminate_unused_initializer",
                                         "eliminate_duplicate_initializer",
                                         "rename_input_output",
                                         "lift_lexical_references",
                                         "split_init",
                                         "split_predict",
                                         "rewrite_input_dtype"};
  for (const auto& [name, pass] : passes) EXPECT_EQ(pass.by_predicate, !full_graph.contains(name)) << name;
}

TEST(Catalog, EveryPassHasAWordOfHelp) {
  const std::string unknown = help_for("pass_of_tomorrow");
  EXPECT_NE(unknown, "");
  std::set<std::string> seen;
  for (const auto& [name, pass] : by_name()) {
    EXPECT_NE(pass.help, unknown) << name;
    EXPECT_EQ(pass.help.find('\n'), std::string::npos);
    EXPECT_TRUE(seen.insert(pass.help).second) << name;
  }
}

}  // namespace
}  // namespace culprit
