// `culprit show` from outside: what is chosen, and in which forms.
#include "campaign_folder.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

TEST_F(Campaigns, ShowOnlyWhatOneAsksFor) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  EXPECT_THAT(shell("culprit show run --status ok").out, StartsWith("no fault in 3 models\n"));
  EXPECT_THAT(shell("culprit show run --model 'models/more/**'").out, StartsWith("1 distinct fault in 1 of 1 model\n"));
  EXPECT_THAT(shell("culprit show run --all-cases").out, HasSubstr("ok           models/clean.onnx"));
  EXPECT_EQ(shell("culprit show run --status okay").exit, 2);
  EXPECT_THAT(shell("culprit show run --optimizer default").out, StartsWith("1 distinct fault in 2 of 3 models\n"));
  EXPECT_EQ(shell("culprit show models").exit, 2);
  EXPECT_EQ(shell("culprit show run -o models").exit, 2);
  EXPECT_EQ(shell("culprit show run -o gone/it.txt").exit, 2);
}

TEST_F(Campaigns, SayWhenNothingIsShown) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  const Ran none = shell("culprit show run --model models/clean.onnx --status fault --format csv");
  EXPECT_EQ(none.exit, 0);
  EXPECT_EQ(none.err, "culprit: no case has all that is asked for\n");
  const Ran model = shell("culprit show run --model nosuch.onnx");
  EXPECT_EQ(model.exit, 2) << model.out;
  EXPECT_EQ(model.err,
            "culprit: --model: no case of this campaign has 'nosuch.onnx'. there are models/clean.onnx, "
            "models/faulty.onnx, models/more/other.onnx\n");
  EXPECT_EQ(shell("culprit show run --optimizer onnxruntime").exit, 2);
}

TEST_F(Campaigns, AreShownInTheFormsOfOtherPrograms) {
  ASSERT_EQ(shell("culprit run campaign.yaml --run-dir run").exit, 1);
  const Ran junit = shell(
      "culprit show run --format junit -o junit.xml && /usr/bin/python3 -c \"import xml.etree.ElementTree as E\n"
      "for s in E.parse('junit.xml').getroot(): print(s.tag, s.get('tests'), s.get('failures'), "
      "len(s.findall('testcase')),"
      " len(s.findall('testcase/failure')))\"");
  EXPECT_EQ(junit.out, "testsuite 6 2 6 2\n") << junit.err;
  shell("culprit show run --format sarif -o it.sarif");
  for (const char* form : {"junit junit.xml", "sarif it.sarif"}) {
    const Ran valid =
        shell("/usr/bin/python3 '" CULPRIT_SOURCE "/tests/schema/campaign_forms.py' " + std::string(form));
    EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
  }
  const Json sarif = Json::parse(shell("culprit show run --format sarif").out);
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["name"], "wrong by fuse_pad_into_conv");
  EXPECT_EQ(run["results"].size(), 2U);
  EXPECT_EQ(run["results"][0]["ruleIndex"], 0);
  EXPECT_THAT(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
              StartsWith("models/"));
  const Ran csv = shell("culprit show run --format csv");
  EXPECT_THAT(csv.out,
              AllOf(StartsWith("job,model,target,"), HasSubstr("check,models/clean.onnx,,,fuse_pad_into_conv")));
  EXPECT_THAT(shell("culprit show run --format markdown").out, StartsWith("## 1 distinct fault in 2 of 3 models\n"));
}

}  // namespace
}  // namespace culprit::testing
