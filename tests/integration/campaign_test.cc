// `culprit run`, `show` and `merge` from outside, on models with one fault and without.
#include <algorithm>

#include "campaign_folder.h"

namespace culprit::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Json = nlohmann::json;

constexpr const char* show_json = "culprit show run --format json";

TEST_F(Campaigns, TellEachCauseOnceOverAllModels) {
  write("campaign.yaml", "models: [models/faulty.onnx, models/more/other.onnx]\nrecipes: fuse_pad_into_conv\n");
  const Ran ran = shell("culprit run campaign.yaml --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("1 distinct fault in 2 of 2 models\n2 cases: 2 fault\n"));
  EXPECT_THAT(ran.out, HasSubstr("  1  wrong by fuse_pad_into_conv\n     in       2 models, 2 cases\n"));
  const Json json = shown();
  ASSERT_EQ(json["faults"].size(), 1U);
  EXPECT_EQ(json["faults"][0]["models"], (Json{"models/faulty.onnx", "models/more/other.onnx"}));
  const std::string repro = "run/cases/" + json["faults"][0]["first_case"].get<std::string>() + "/" +
                            json["faults"][0]["repro"].get<std::string>();
  EXPECT_THAT(ran.out, HasSubstr(repro));
  EXPECT_EQ(shell("culprit replay " + repro).exit, 1) << "the repro that is named shows the fault";
}

TEST_F(Campaigns, CountACauseOnceWhateverTheFoldersAreCalled) {
  fs::create_directories(folder_.path() / "my models");
  for (const char* name : {"a 1.onnx", "b.onnx"}) write_twin(std::string("my models/") + name, std::string(1, *name));
  write("bad.sh", "echo no model > \"$2\"\n");
  write("bad.yaml", "name: bad\ncommand: [bash, '{here}/bad.sh', '{input}', '{output}']\n");
  write("campaign.yaml", "models: my models/*.onnx\noptimizers: bad.yaml\nflags: {check: --no-localize --no-repro}\n");
  const Ran ran = shell("culprit run campaign.yaml --run-dir 'of the/first run' --quiet");
  EXPECT_THAT(ran.out, StartsWith("1 distinct fault in 2 of 2 models\n")) << ran.out << ran.err;
}

TEST_F(Campaigns, DoNothingTwice) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  const Ran before = shell(show_json);
  const Ran again = shell("culprit run campaign.yaml --run-dir run --resume");
  EXPECT_EQ(again.exit, 1) << again.err;
  EXPECT_EQ(shell(show_json).out, before.out) << "also not a second that a case took";
  write("campaign.yaml", campaign_of("'models/**/*.onnx'"));
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run --resume").exit, 1);
  EXPECT_EQ(shown()["cases"].size(), 8U) << "models/more/twin.onnx is new";
}

TEST_F(Campaigns, DiagnosePairs) {
  const std::string examples = std::string(CULPRIT_SOURCE) + "/examples/conversion/";
  write("pairs.yaml", "pairs: [{source: " + examples + "trained.onnx, target: " + examples +
                          "wrong.onnx}, {source: " + examples + "trained.onnx, target: " + examples + "right.onnx}]\n");
  const Ran ran = shell("culprit run pairs.yaml --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.out, StartsWith("2 distinct faults in 1 of 1 model\n2 cases: 1 ok, 1 fault\n"));
  EXPECT_THAT(ran.out, HasSubstr("hyperparameter of MaxPool\n"));
}

TEST_F(Campaigns, AreOnlyAboutTheCasesOfThePresentFile) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  fs::copy_file(folder_.path() / "models/clean.onnx", folder_.path() / "models/copy.onnx");
  write("campaign.yaml", campaign_of("[models/clean.onnx, models/copy.onnx]"));
  const Ran ran = shell("culprit run campaign.yaml --run-dir run --resume");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, StartsWith("no fault in 1 model\n"));
  EXPECT_THAT(ran.err, HasSubstr("2 of 4 cases ask the same as others"));
  EXPECT_THAT(shell("culprit show run").out, StartsWith("1 distinct fault"));
}

TEST_F(Campaigns, RefuseAFolderThatIsNotTheirs) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  const Ran twice = shell("culprit run campaign.yaml --run-dir run");
  EXPECT_EQ(twice.exit, 2);
  EXPECT_THAT(twice.err, HasSubstr("run holds a campaign that was begun. --resume goes on with it"));
  EXPECT_THAT(shell("culprit run campaign.yaml --run-dir models").err,
              HasSubstr("holds files that are of no campaign"));
}

TEST_F(Campaigns, BeginWhereARunWasKilledBeforeItHadAStore) {
  fs::create_directories(folder_.path() / "run/cases");
  write("run/campaign.sqlite.lock", "1\n");
  write("run/campaign.sqlite.new", "half");
  EXPECT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  fs::create_directories(folder_.path() / "other/cases/mine");
  EXPECT_EQ(shell("culprit run campaign.yaml --run-dir other").exit, 2);
}

TEST_F(Campaigns, SayWhatIsWrongBeforeAnythingRuns) {
  const auto complaint_about = [&](const std::string& text) {
    write("campaign.yaml", text);
    const Ran ran = shell("culprit run campaign.yaml --run-dir run");
    EXPECT_THAT(ran.exit, ::testing::AnyOf(2, 3)) << text;
    EXPECT_FALSE(there("run")) << text;
    return ran.err;
  };
  EXPECT_THAT(complaint_about("models: [models/gone.onnx]\n"), HasSubstr("models/gone.onnx names no file"));
  EXPECT_THAT(complaint_about("modles: x\n"), HasSubstr("line 1: there is no key 'modles'; did you mean 'models'?"));
  EXPECT_THAT(complaint_about("models: models/*.onnx\noptimizers: [onx_optimizer]\n"), HasSubstr("onx_optimizer"));
  EXPECT_THAT(complaint_about("models: models/*.onnx\nrecipes: [fuse_pad_into_cov]\n"),
              HasSubstr("did you mean 'fuse_pad_into_conv'?"));
  EXPECT_THAT(complaint_about("models: models/*.onnx\nruntimes: [9.9.9]\n"), HasSubstr("9.9.9"));
  EXPECT_THAT(complaint_about("models: models/*.onnx\nflags: {check: --sampels 3}\n"), HasSubstr("--samples"));
  EXPECT_THAT(complaint_about("models: models/*.onnx\nflags: {check: --run-dir x}\n"), HasSubstr("--run-dir is what"));
  EXPECT_THAT(complaint_about("models: models/clean.onnx\nflags: {check: models/faulty.onnx}\n"),
              HasSubstr("they name another model"));
  EXPECT_THAT(complaint_about("models: gone/*.onnx\n"), HasSubstr("cannot look into the folder gone: "));
  EXPECT_THAT(complaint_about("models: models/*.tflite\n"), HasSubstr("names no file in the current folder ("));
  EXPECT_THAT(complaint_about("models: models/*.onnx\ndata: gone.npz\n"), HasSubstr("data: there is no gone.npz."));
}

TEST_F(Campaigns, ListTheCommandsThatTheyRun) {
  const Ran ran = shell("culprit run campaign.yaml --list");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(
      ran.out,
      HasSubstr("culprit check models/faulty.onnx --passes fuse_pad_into_conv --jobs 1 --no-localize --no-repro\n"));
  EXPECT_FALSE(there(".culprit"));
}

TEST_F(Campaigns, ListWhatTheyRun) {
  const Ran all = shell("culprit run campaign.yaml --list | sort");
  const Ran shards =
      shell("(culprit run campaign.yaml --list --shard 1/2 && culprit run campaign.yaml --list --shard 2/2) | sort");
  EXPECT_EQ(shards.out, all.out) << shards.err;
  EXPECT_NE(shell("culprit run campaign.yaml --list --shard 1/2 | sort").out, all.out);
  write("campaign.yaml", "models: models/*.onnx\nrecipes: [fuse_pad_into_cov]\n");
  const Ran wrong = shell("culprit run campaign.yaml --list");
  EXPECT_EQ(wrong.exit, 2) << wrong.out;
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'fuse_pad_into_conv'?"));
}

TEST_F(Campaigns, PairRecipesWithTheOptimizersThatHaveTheirSteps) {
  const std::string start = "models: models/clean.onnx\noptimizers: [onnx_optimizer, onnxruntime]\n";
  write("campaign.yaml", start + "recipes: [all, 'nop,fuse_pad_into_conv']\n");
  const Ran ran = shell("culprit run campaign.yaml --list");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(std::ranges::count(ran.out, '\n'), 3) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("--optimizer onnx_optimizer --passes nop,fuse_pad_into_conv "));
  EXPECT_THAT(ran.err, HasSubstr("left out, for the optimizer has none of these steps: nop,fuse_pad_into_conv with "
                                 "onnxruntime\n"));
  write("campaign.yaml", start + "recipes: 'nop,fuse_pad_into_cov'\n");
  EXPECT_THAT(shell("culprit run campaign.yaml --list").err, HasSubstr("'fuse_pad_into_cov'"));
  write("campaign.yaml", start + "recipes: 'nap,fuse_it'\n");
  const Ran nowhere = shell("culprit run campaign.yaml --list");
  EXPECT_EQ(nowhere.exit, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("recipe nap,fuse_it fits none of onnx_optimizer, onnxruntime: "));
}

TEST_F(Campaigns, TellFaultsOnLinesWhereThereIsNoTerminal) {
  const Ran ran = shell("culprit run campaign.yaml --run-dir run --jobs 1");
  EXPECT_THAT(ran.err, ContainsRegex("\\[[1-6]/6\\] fault in models/faulty.onnx fuse_pad_into_conv\n"));
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 2) << ran.err;
  EXPECT_EQ(shell("culprit run campaign.yaml --run-dir other --quiet").err, "");
}

TEST_F(Campaigns, TellThatMergedFoldersAreOfDifferentCampaigns) {
  write("one.yaml", campaign_of("models/clean.onnx"));
  write("two.yaml", campaign_of("[models/faulty.onnx, models/more/other.onnx]"));
  shell("culprit run one.yaml --run-dir one; culprit run two.yaml --run-dir two; culprit run two.yaml --run-dir too");
  const Ran same = shell("culprit merge same two too");
  EXPECT_EQ(same.err, "");
  const Ran ran = shell("culprit merge all one two");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.err,
            "culprit: two is of another campaign, or of another state of it: of its 4 cases none is in what was "
            "merged before, which has 2 more\n");
}

TEST_F(Campaigns, EndWhenThereAreEnoughFaultsAndGoOn) {
  const Ran ran = shell("culprit run campaign.yaml --run-dir run --jobs 1 --stop-after-faults 1");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("there are enough faults"));
  EXPECT_EQ(shown()["by_status"]["fault"], 1);
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run --resume").exit, 1);
  EXPECT_EQ(shown()["by_status"]["fault"], 2);
}

TEST_F(Campaigns, AreTheSameFromShardsInAnyOrder) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  for (const char* shard : {"1", "2", "3"})
    shell("culprit run campaign.yaml --run-dir part" + std::string(shard) + " --shard " + shard + "/3");
  const Ran some = shell("culprit merge all part3 part1");
  EXPECT_THAT(some.out, HasSubstr("missing"));
  EXPECT_EQ(some.exit, 3);
  const Ran all = shell("culprit merge all part2 part3");
  EXPECT_EQ(all.exit, 0) << all.out << all.err;
  EXPECT_THAT(all.out, HasSubstr("nothing is missing"));
  const Json whole = shown();
  EXPECT_EQ(shown("all"), whole);
  ASSERT_EQ(shell("culprit merge other part1 part2 part3").exit, 0);
  EXPECT_EQ(shown("other"), whole);
  const std::string kept = "/cases/" + whole["faults"][0]["first_case"].get<std::string>() + "/variants";
  EXPECT_TRUE(there("run" + kept));
  EXPECT_TRUE(there("other" + kept)) << "what cases kept is there as well";
}

/// examples/campaigns/parallel.sh.
TEST_F(Campaigns, AreTheSameFromGnuParallel) {
  if (shell("command -v parallel").exit != 0) GTEST_SKIP() << "no GNU parallel: apt-get install parallel";
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  const std::string source = CULPRIT_SOURCE;
  const Ran ran = shell("'" + source + "/examples/campaigns/parallel.sh' campaign.yaml 3 parts");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(shown("parts/all"), shown());
}

/// examples/campaigns/zoo.yaml, on two small models, without the search for causes.
TEST_F(Campaigns, TheExampleOfAZooRuns) {
  const std::string source = CULPRIT_SOURCE;
  const Ran ran = shell("sed 's/--samples 3/--samples 3 --no-localize --no-repro/' '" + source +
                        "/examples/campaigns/zoo.yaml' > zoo.yaml && rm models/faulty.onnx models/more/twin.onnx"
                        " && culprit run zoo.yaml --run-dir run");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("in 2 of 2 models\n4 cases: 2 ok, 2 fault\n"));
  EXPECT_THAT(ran.out, HasSubstr("wrong by fuse_pad_into_conv\n"));
}

TEST_F(Campaigns, AreRefusedWhileAnotherRunsThere) {
  const Ran ran = shell(
      "culprit run campaign.yaml --run-dir run >/dev/null 2>&1 & first=$!\n"
      "until [[ -e run/campaign.sqlite ]]; do sleep 0.02; done\n"
      "culprit run campaign.yaml --run-dir run --resume; code=$?; wait $first; exit $code");
  EXPECT_EQ(ran.exit, 2) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("run/campaign.sqlite"));
}

TEST_F(Campaigns, WithdrawWhatRunsAtAnInterrupt) {
  const Ran ran = shell(
      "culprit run campaign.yaml --run-dir run & first=$!\n"
      "until [[ -e run/campaign.sqlite ]]; do sleep 0.02; done; sleep 0.2\n"
      "kill -INT $first; wait $first");
  EXPECT_EQ(ran.exit, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("--resume goes on"));
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run --resume").exit, 1);
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir whole").exit, 1);
  EXPECT_EQ(shown(), shown("whole"));
}

}  // namespace
}  // namespace culprit::testing
