// What was found out once is used again: outcomes by other campaigns, measurements by other tolerances.
#include <nlohmann/json.hpp>

#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

class SharedCampaigns : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write_model("clean.onnx", clean_model);
    const std::string negatives = CULPRIT_SOURCE "/tests/corpus/faults/pad-into-maxpool-of-negatives.onnxtxt";
    write_model("faulty.onnx", without_comments(read_file(negatives).value()).c_str());
    write("campaign.yaml", "");
  }
  static std::string without_comments(const std::string& text) { return text.substr(text.find("\n<") + 1); }
  /// A campaign of both models, with more words for `check`.
  void write(const std::string& name, const std::string& words) const {
    std::ofstream(folder_.path() / name) << "models: [clean.onnx, faulty.onnx]\nrecipes: [nop, fuse_pad_into_pool]\n"
                                         << "flags: {check: --no-localize " << words << "}\n";
  }
  Json shown(const std::string& words) {
    const Ran ran = shell("culprit show " + words + " --format json");
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
};

TEST_F(SharedCampaigns, RunNothingThatAnotherOneKnows) {
  const Ran first = shell("culprit run campaign.yaml --run-dir one --cache shared");
  EXPECT_EQ(first.exit, 1) << first.err;
  EXPECT_THAT(first.err, Not(HasSubstr("cache")));
  const Ran second = shell("culprit run campaign.yaml --run-dir two --cache shared");
  EXPECT_EQ(second.exit, 1) << second.err;
  EXPECT_THAT(second.err, HasSubstr("4 cases came from the cache"));
  EXPECT_EQ(shown("one"), shown("two")) << "the times, too";
  const Json fault = shown("two")["faults"][0];
  const std::string repro =
      "two/cases/" + fault["first_case"].get<std::string>() + "/" + fault["repro"].get<std::string>();
  EXPECT_EQ(shell("culprit replay " + repro).exit, 1) << "what was kept of the fault came along";
  write("campaign.yaml", "--samples 2");
  EXPECT_THAT(shell("culprit run campaign.yaml --run-dir three --cache shared").err, Not(HasSubstr("cache")));
  write("campaign.yaml", "");
  EXPECT_THAT(shell("culprit run campaign.yaml --run-dir four --shard 1/2 --cache shared").err, HasSubstr("the cache"));
}

TEST_F(SharedCampaigns, AreReadWhereNobodyCanWrite) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir 'run?'").exit, 1);
  const Ran before = shell("culprit show 'run?'");
  const Ran ran = shell(
      "cat > inside <<'END'\n"
      "mount --bind 'run?' 'run?' && mount -o remount,ro,bind 'run?' || exit 77\n"
      "touch 'run?/new' 2> /dev/null && exit 77\n"
      "culprit show 'run?' && culprit merge both 'run?' > merged\n"
      "END\n"
      "unshare -rm bash inside");
  if (ran.exit == 77) GTEST_SKIP() << "no mount namespace can be had here";
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.out, before.out);
  EXPECT_EQ(shown("both"), shown("'run?'"));
}

TEST_F(SharedCampaigns, ACacheDoesNotGoWithOtherMachines) {
  const Ran ran = shell("culprit run campaign.yaml --on ray --cache shared");
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("--cache does not go with --on"));
}

TEST_F(SharedCampaigns, AreJudgedAgainAsARunWouldJudgeThem) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  EXPECT_THAT(shell("culprit show run").out, StartsWith("1 distinct fault in 1 of 2 models\n4 cases: 3 ok, 1 fault\n"));
  const Ran wide = shell("culprit show run --atol 1000 --rtol 0");
  EXPECT_THAT(wide.out, StartsWith("no fault in 2 models\n4 cases: 4 ok\njudged again with atol 1000 and rtol 0: 1 case"
                                   " has no fault any more\n"));
  write("wide.yaml", "--atol 1000 --rtol 0");
  EXPECT_EQ(shell("culprit run wide.yaml --run-dir wide").exit, 0) << "a run agrees";
  EXPECT_THAT(shell("culprit show run --atol 0.000001 --rtol 0").out,
              StartsWith("1 distinct fault in 1 of 2 models\n"));
  const Json json = shown("run --atol 1000 --rtol 0 --status ok");
  EXPECT_EQ(json["cases"].size(), 4U);
  EXPECT_EQ(json["judged_again"], (Json{{"atol", 1000.0}, {"rtol", 0.0}, {"freed", 1}, {"not_told", 0}}));
  EXPECT_TRUE(shown("run")["judged_again"].is_null());
  EXPECT_THAT(shell("culprit show run --atol 1").err, HasSubstr("--atol and --rtol go together"));
}

}  // namespace
}  // namespace culprit::testing
