#include "app/plan_campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CampaignPlans : public ::testing::Test {
 protected:
  /// A check of a model of its own.
  [[nodiscard]] CaseOrder order(const std::string& model, const std::string& optimizer,
                                const std::string& recipe) const {
    const fs::path file = folder_.path() / model;
    std::ofstream(file) << model;
    CaseOrder order;
    order.model = file.string();
    order.optimizer = optimizer;
    order.recipe = recipe;
    return order;
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-planned-").value();
};

Error no_such_step() { return {ErrorKind::usage, "--passes: there is no pass 'nop'", "did you mean 'nap'?"}; }

/// Only the optimizer "one" has steps.
Result<CaseFrame> frame_with_steps_of_one(const CaseOrder& order) {
  CaseFrame frame{order.optimizer, "1", "1.20"};
  if (!order.recipe.empty() && order.optimizer != "one") frame.unfit = no_such_step();
  return frame;
}

TEST_F(CampaignPlans, LeaveOutARecipeWhereItsOptimizerHasNoneOfItsSteps) {
  const auto plan = plan_campaign({order("a", "one", "nop"), order("a", "two", "nop"), order("b", "two", "nop"),
                                   order("a", "two", ""), order("a", "one", "nop")},
                                  frame_with_steps_of_one);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->cases.size(), 2U);
  EXPECT_EQ(plan->same, 1U);
  EXPECT_THAT(plan->left_out, ElementsAre("nop with two"));
}

TEST_F(CampaignPlans, RefuseARecipeThatFitsNoOptimizer) {
  const auto plan = plan_campaign({order("a", "two", ""), order("a", "two", "nop")}, frame_with_steps_of_one);
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().kind, ErrorKind::usage);
  EXPECT_THAT(plan.error().text(), AllOf(HasSubstr("a two nop: --passes"), HasSubstr("did you mean 'nap'?")));
}

TEST_F(CampaignPlans, AskOnceMoreAfterAProcessWasKilled) {
  int asked = 0;
  const auto killed_so_often = [&](int often) {
    asked = 0;
    return plan_campaign({order("a", "one", "")}, [&asked, often](const CaseOrder& asks) -> Result<CaseFrame> {
      if (++asked <= often) return fail(ErrorKind::bad_input, "the process that loads it: killed by SIGKILL");
      return frame_with_steps_of_one(asks);
    });
  };
  EXPECT_TRUE(killed_so_often(1));
  EXPECT_EQ(asked, 2);
  const auto twice = killed_so_often(2);
  ASSERT_FALSE(twice);
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(twice.error().text(),
              HasSubstr("/a one: the process that loads it: killed by SIGKILL (in a second try, too)"));
}

TEST_F(CampaignPlans, AskOnlyOnceForWhatMakesNoSense) {
  int asked = 0;
  const auto plan = plan_campaign({order("a", "one", "")}, [&](const CaseOrder&) -> Result<CaseFrame> {
    ++asked;
    return tl::unexpected(no_such_step());
  });
  EXPECT_FALSE(plan);
  EXPECT_EQ(asked, 1);
}

/// A folder with a model, and what stands beside it.
class KeysOfCases : public ::testing::Test {
 protected:
  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void fill(const fs::path& place) const {
    write(place / "m.onnx", "model");
    write(place / "culprit.yaml", "data: numbers.npz\ntask: {labels: 'my labels.txt'}");
    write(place / "numbers.npz", "1 2 3");
    write(place / "o/mine.yaml", "command: [\"{here}/opt.sh\", --in, x]\nversion: [echo, '1.0']");
    write(place / "o/opt.sh", "cp");
    write(place / "x.npy", "x");
  }
  [[nodiscard]] std::string key_in(const fs::path& place, const std::vector<std::string>& flags = {}) const {
    CaseOrder order;
    order.model = (place / "m.onnx").string();
    order.optimizer = (place / "o/mine.yaml").string();
    order.flags = flags;
    const auto plan = plan_campaign({order}, [](const CaseOrder&) -> Result<CaseFrame> {
      return CaseFrame{"mine", "1.0", "1.20"};
    });
    return plan ? plan->cases.at(0).key.hex() : plan.error().text();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-keys-").value();
  fs::path one_ = folder_.path() / "one", two_ = folder_.path() / "two";
};

TEST_F(KeysOfCases, AreTheSameOnAnotherMachine) {
  fill(one_);
  fill(two_);
  EXPECT_EQ(key_in(one_), key_in(two_));
}

TEST_F(KeysOfCases, TellWhatTheDescriptionsName) {
  fill(one_);
  for (const std::string changed : {"m.onnx", "culprit.yaml", "numbers.npz", "o/mine.yaml", "o/opt.sh"}) {
    fill(two_);
    const std::string before = key_in(two_);
    EXPECT_EQ(before, key_in(one_)) << changed;
    write(two_ / changed, "another");
    EXPECT_NE(key_in(two_), before) << changed;
  }
}

TEST_F(KeysOfCases, TellWhatWordsName) {
  fill(one_);
  const std::string file = (one_ / "x.npy").string();
  for (const std::vector<std::string>& flags : {std::vector<std::string>{"--known", file},
                                                {"--known=" + file},
                                                {"--input=x=" + file},
                                                {"--input", "x=" + file}}) {
    write(one_ / "x.npy", "x");
    const std::string before = key_in(one_, flags);
    write(one_ / "x.npy", "y");
    EXPECT_NE(key_in(one_, flags), before) << flags.front();
  }
}

}  // namespace
}  // namespace culprit
