// `culprit profile` through the real binary, on small models: rows, files and exit codes. Nothing is said of how fast
// anything is but where one model does a hundred times the work of the other.
#include "cli_folder.h"
#include "support/turn.h"
#include "support/weights_outside.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr const char* small_net = R"(
  <ir_version: 8, opset_import: ["" : 13]>
  small (float[1,8] x) => (float[1,8] y)
  <float[1] one = {1}> {
    a = Identity(x)
    b = Add(a, one)
    c = Relu(b)
    y = Identity(c)
  })";

class Profile : public Cli {
 protected:
  void SetUp() override {
    CULPRIT_ONE_OF(2);
    Cli::SetUp();
    write_model("small.onnx", small_net);
  }

  Ran profile(const std::string& words) { return shell("culprit profile " + words + " --run-dir run --quiet"); }
  Json report() { return Json::parse(text_of("run/report.json")); }

  static bool has_warning(const Json& place, const std::string& code) {
    return std::ranges::any_of(place["warnings"], [&](const Json& one) { return one["code"] == code; });
  }

  static std::vector<std::string> rows(const Json& report) {
    std::vector<std::string> names;
    for (const Json& entry : report["entries"]) names.push_back(entry["name"]);
    return names;
  }
};

TEST_F(Profile, OneModelHasARowForEachLevel) {
  const Ran ran = profile("small.onnx --blocks 6");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const Json found = report();
  EXPECT_THAT(rows(found), ElementsAre("off", "basic", "extended", "all"));
  EXPECT_EQ(found["schema"], "culprit.profile/1");
  EXPECT_EQ(found["blocks"], 6);
  EXPECT_EQ(found["entries"][0]["verdict"], "baseline");
  EXPECT_EQ(found["entries"][0]["nodes"], 4);
  EXPECT_LT(found["entries"][1]["nodes"], 4) << "the Identity nodes go at level basic";
  for (const Json& entry : found["entries"]) {
    EXPECT_GT(entry["seconds"]["median"], 0);
    EXPECT_THAT(entry["block_ratios"], SizeIs(6));
    EXPECT_GT(entry["memory"]["run_peak"], entry["memory"]["start"]);
    EXPECT_EQ(entry["graph"]["parameters"], 1);
    EXPECT_GE(entry["node_times"]["left_out_seconds"], 0);
    const double profiled = entry["node_times"]["run_seconds"], timed = entry["seconds"]["median"];
    EXPECT_EQ(has_warning(entry, "profiler_slows_run"), profiled > 2 * timed) << entry["warnings"];
    EXPECT_LE(entry["optimizing"].is_null() ? 0 : entry["optimizing"].get<double>(), entry["load"]["median"]);
  }
  EXPECT_TRUE(found["entries"][0]["node_times"]["nodes"][0]["baseline_seconds"].is_null());
  const Json nodes = found["entries"][1]["node_times"]["nodes"];
  EXPECT_TRUE(std::ranges::any_of(nodes, [](const Json& node) { return node["baseline_seconds"].is_number(); }))
      << nodes;
  const std::string source = CULPRIT_SOURCE;
  const Ran valid = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/profile.schema.json' run/report.json");
  EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
}

TEST_F(Profile, AModelWithItsWeightsOutsideHasGraphsAndNodeTimes) {
  write_with_weights_outside(folder_.path() / "outside.onnx");
  fs::create_directory(folder_.path() / "below");
  fs::rename(folder_.path() / "outside.onnx", folder_.path() / "below/outside.onnx");
  fs::rename(folder_.path() / "w.bin", folder_.path() / "below/w.bin");
  for (const std::string model : {"below/outside.onnx", "outside.onnx"}) {
    const Ran ran = shell("cd " + std::string(model == "outside.onnx" ? "below" : ".") + " && culprit profile " +
                          model + " --levels off,basic,all --blocks 2 --quiet --run-dir \"$OLDPWD/run\"");
    EXPECT_EQ(ran.exit, 0) << ran.err;
    const Json found = report();
    for (const Json& entry : found["entries"]) {
      for (const Json& warning : entry["warnings"])
        EXPECT_EQ(warning["code"], "profiler_slows_run") << warning["message"];  // which it may do to a tiny net
      EXPECT_GT(entry["nodes"], 0) << entry["name"];
      EXPECT_TRUE(entry["node_times"].is_object()) << entry["name"];
      EXPECT_EQ(entry["optimizing"].is_number(), entry["level"] != "off") << entry["name"];
    }
    const Json graph = found["entries"][0]["graph"];
    EXPECT_GT(graph["parameters"], 0);
    EXPECT_GT(graph["file_bytes"], fs::file_size(folder_.path() / "below/w.bin"));
    fs::remove_all(folder_.path() / "run");
  }
}

TEST_F(Profile, WhatTheBudgetLeftOpenIsSaid) {
  EXPECT_EQ(profile("small.onnx --levels off,all --until-sure --budget 0.001s").exit, 0);
  const Json found = report();
  const Json warnings = found["warnings"];
  const auto said = std::ranges::find(warnings, "budget_spent", [](const Json& one) { return one["code"]; });
  ASSERT_NE(said, warnings.end()) << warnings;
  EXPECT_THAT(std::string((*said)["message"]),
              AllOf(HasSubstr("'all'"), ContainsRegex("--budget [0-9.e]+s is needed for all of it")));
  const Json row = found["entries"][1];
  EXPECT_EQ(row["verdict"].is_null(), row["block_ratios"].empty()) << row["verdict"];
}

TEST_F(Profile, LeavesWhatPeoplePasteAndLookAt) {
  EXPECT_EQ(profile("small.onnx --levels off,all --blocks 2").exit, 0);
  EXPECT_THAT(text_of("run/profile.md"), HasSubstr("| `off` |"));
  EXPECT_THAT(text_of("run/entries.csv"), StartsWith("entry,"));
  EXPECT_THAT(text_of("run/samples.csv"), AllOf(StartsWith("entry,block,seconds\r\n"), HasSubstr("\nall,2,")));
  EXPECT_THAT(text_of("run/nodes.csv"), ContainsRegex("off,small.onnx,[^,]*,Relu,[^,]*,[^,]*,[^,]*,,8,64,"))
      << "8 elements: as many FLOPs, twice 32 bytes";
  EXPECT_THAT(text_of("run/figures/ratio.svg"), HasSubstr("<svg"));
  EXPECT_TRUE(Json::parse(text_of("run/trace.json")).contains("traceEvents"));
  const Ran again = profile("small.onnx --levels off,all --blocks 2 --format markdown");
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(again.out, text_of("run/profile.md"));
}

/// As on a full disk: a folder stands where a file should come.
TEST_F(Profile, WhatCannotBeWrittenBehindTheReportCostsNothingOfIt) {
  EXPECT_EQ(profile("small.onnx --blocks 2").exit, 0);
  const std::string before = text_of("run/report.json");
  fs::remove(folder_.path() / "run" / "profile.md");
  fs::create_directories(folder_.path() / "run" / "profile.md" / "mine");
  const Ran ran = profile("small.onnx --blocks 2");
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("profile.md"), HasSubstr("report.json holds all that was measured")));
  EXPECT_THAT(ran.out, HasSubstr("small.onnx"));
  EXPECT_NE(text_of("run/report.json"), before) << "the second report is there";
}

TEST_F(Profile, ASlowerModelIsCalledSo) {
  write_model("slow.onnx", R"(
    <ir_version: 8, opset_import: ["" : 13]>
    slow (float[1,8] x) => (float[1,8] y)
    <int64[2] shape = {300, 300}> {
      most = ReduceMax<keepdims = 1>(x)
      wide = Expand(most, shape)
      product = MatMul(wide, wide)
      one = ReduceMax<keepdims = 0>(product)
      y = Add(x, one)
    })");
  const Ran ran = profile("small.onnx slow.onnx --until-sure");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const Json found = report();
  EXPECT_THAT(rows(found), ElementsAre("small", "slow"));
  EXPECT_EQ(found["entries"][1]["verdict"], "slower") << found["entries"][1]["ratio"];
  EXPECT_EQ(profile("small.onnx slow.onnx --against slow --until-sure").exit, 0);
  EXPECT_EQ(report()["entries"][0]["verdict"], "faster");
}

TEST_F(Profile, EachOfSeveralModelsIsHeldAgainstItself) {
  write_model("other.onnx", small_net);
  EXPECT_EQ(profile("small.onnx other.onnx --levels off,all --blocks 2").exit, 0);
  const Json found = report();
  EXPECT_THAT(rows(found), ElementsAre("small off", "small all", "other off", "other all"));
  const std::vector<int> baselines = {0, 0, 2, 2};
  for (std::size_t i = 0; i < 4; ++i) {
    const Json& entry = found["entries"][i];
    EXPECT_EQ(entry["baseline"], baselines[i]) << i;
    EXPECT_EQ(entry["verdict"] == "baseline", i % 2 == 0) << i;
    EXPECT_THAT(entry["block_ratios"], SizeIs(2)) << i;
  }
  EXPECT_EQ(found["blocks"], 4);
  EXPECT_EQ(profile("small.onnx other.onnx --levels off,all --blocks 2 --against 'small all'").exit, 0);
  for (const Json& entry : report()["entries"]) EXPECT_EQ(entry["baseline"], 1);
}

TEST_F(Profile, OneModelThatFailsLeavesTheOthers) {
  write_model("bad.onnx", R"(
    <ir_version: 8, opset_import: ["" : 13]>
    bad (float[1,8] x) => (float[1,8] y) { y = Unsqueeze(x) })");
  EXPECT_EQ(profile("bad.onnx small.onnx --levels off,all --blocks 2").exit, 1);
  const Json found = report();
  EXPECT_EQ(found["entries"][0]["verdict"], "failed");
  EXPECT_EQ(found["entries"][1]["verdict"], "failed");
  EXPECT_EQ(found["entries"][2]["verdict"], "baseline");
  EXPECT_THAT(found["entries"][3]["block_ratios"], SizeIs(2));
}

TEST_F(Profile, StepsOfAnOptimizerAreRows) {
  EXPECT_EQ(profile("small.onnx --each eliminate_identity,eliminate_nop_cast --blocks 2").exit, 0);
  EXPECT_THAT(rows(report()), ElementsAre("as given", "eliminate_identity", "eliminate_nop_cast"));
  EXPECT_EQ(profile("small.onnx --optimizer onnxruntime --passes EliminateIdentity --levels off --blocks 2").exit, 0);
  EXPECT_THAT(rows(report()), Contains("EliminateIdentity"));
}

TEST_F(Profile, ARowThatFailsIsAResult) {
  write_model("house.onnx", R"(
    <ir_version: 8, opset_import: ["" : 17, "house" : 1]>
    if_domain (float[N,3] x) => (float[N,3] y)
    <bool cond = {1}> {
      y = If (cond) <
        then_branch = yes () => (float[N,3] a) { a = house.Swoosh(x) },
        else_branch = no () => (float[N,3] b) { b = Neg(x) }
      >
    }
    <domain: "house", opset_import: ["" : 17]>
    Swoosh (u) => (v) { s = Sigmoid(u) v = Mul(u, s) })");
  const Ran ran = profile("house.onnx --passes eliminate_if_with_const_cond --blocks 2");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  const Json row = report()["entries"][1];
  EXPECT_EQ(row["verdict"], "failed");
  EXPECT_EQ(row["failed_at"], "load");
  EXPECT_THAT(std::string(row["failure"]), HasSubstr("Swoosh"));
  EXPECT_EQ(report()["entries"][0]["verdict"], "baseline");
}

TEST_F(Profile, AModelThatDoesNotLoadIsARowAndNeverTheBaseline) {
  write_model("bad.onnx", R"(
    <ir_version: 8, opset_import: ["" : 13]>
    bad (float[1,8] x) => (float[1,8] y) { y = Unsqueeze(x) })");
  const Ran ran = profile("small.onnx bad.onnx --blocks 2");
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_EQ(report()["entries"][1]["verdict"], "failed");
  const Ran first = profile("bad.onnx small.onnx --blocks 2");
  EXPECT_EQ(first.exit, 3) << first.err;
  EXPECT_THAT(first.err, AllOf(HasSubstr("'bad'"), HasSubstr("--against")));
  const Ran alone = profile("bad.onnx --levels off,all --blocks 2");
  EXPECT_EQ(alone.exit, 3) << alone.err;
  EXPECT_THAT(alone.err, AllOf(HasSubstr("none of the other rows runs either"), Not(HasSubstr("--against"))));
}

TEST_F(Profile, AKeptProfileIsAGate) {
  EXPECT_EQ(profile("small.onnx --levels off,all --blocks 2").exit, 0);
  fs::copy_file(folder_.path() / "run/report.json", folder_.path() / "kept.json");
  Json kept = Json::parse(text_of("kept.json"));
  kept["entries"][1]["ratio"] = {{"value", 1000}, {"low", 999}, {"high", 1001}};
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran fine = profile("small.onnx --levels off,all --blocks 6 --baseline kept.json");
  EXPECT_EQ(fine.exit, 0) << fine.out << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("nothing is worse"));
  kept["entries"][1]["ratio"] = {{"value", 0.001}, {"low", 0.001}, {"high", 0.001}};
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran worse = profile("small.onnx --levels off,all --blocks 6 --baseline kept.json");
  EXPECT_EQ(worse.exit, 1) << worse.out << worse.err;
  EXPECT_THAT(report()["regressions"], SizeIs(1));
  fs::remove_all(folder_.path() / "run");
  kept["entries"][1]["ratio"] = {{"value", -1}, {"low", -1.2}, {"high", -0.8}};
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran wrong = profile("small.onnx --levels off,all --blocks 6 --baseline kept.json");
  EXPECT_EQ(wrong.exit, 3) << wrong.err;
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("kept.json"), HasSubstr("the ratio of 'all' is -1")));
  EXPECT_FALSE(there("run/report.json")) << "said before anything is measured";
}

TEST_F(Profile, TwoKeptProfilesAreComparedWithoutMeasuring) {
  EXPECT_EQ(profile("small.onnx --levels off,all --blocks 6").exit, 0);
  Json kept = report();
  kept["entries"][1]["ratio"] = {{"value", 1}, {"low", 0.99}, {"high", 1.01}};
  std::ofstream(folder_.path() / "before.json") << kept;
  std::ofstream(folder_.path() / "same.json") << kept;
  kept["entries"][1]["ratio"] = {{"value", 1.3}, {"low", 1.29}, {"high", 1.31}};
  kept["environment"]["threads"] = 7;
  std::ofstream(folder_.path() / "after.json") << kept;
  kept["entries"][1]["name"] = "other";
  kept["entries"][0]["name"] = "another";
  std::ofstream(folder_.path() / "others.json") << kept;
  fs::remove_all(folder_.path() / "run");
  const auto compare = [&](const std::string& words) { return shell("culprit profile --compare " + words); };
  const Ran worse = compare("before.json after.json");
  EXPECT_EQ(worse.exit, 1) << worse.out << worse.err;
  EXPECT_THAT(worse.out, AllOf(HasSubstr("worse than in before.json"), ContainsRegex("threads: 1 in\\s+the\\s+kept")));
  EXPECT_THAT(worse.out, Not(HasSubstr("report.json")));
  const Ran better = compare("after.json before.json --format json");
  EXPECT_EQ(better.exit, 0) << better.err;
  EXPECT_EQ(Json::parse(better.out)["kept"], "after.json");
  EXPECT_EQ(compare("before.json same.json").exit, 0);
  EXPECT_EQ(compare("before.json others.json").exit, 3) << "no row has the name of one there";
  for (const auto& [words, said] :
       std::map<std::string, std::string>{{"before.json small.onnx", "is no JSON"},
                                          {"before.json gone.json", "gone.json"},
                                          {"before.json after.json same.json", "2 are named"},
                                          {"before.json after.json --blame", "--blame and"}}) {
    const Ran wrong = compare(words);
    EXPECT_EQ(wrong.exit, said == "is no JSON" ? 3 : 2) << words;
    EXPECT_THAT(wrong.err, HasSubstr(said)) << words;
  }
  EXPECT_FALSE(there(".culprit")) << "nothing was measured";
}

TEST_F(Profile, AKeptProfileAgainstAnotherRowIsHeldAgainstOneOfBoth) {
  EXPECT_EQ(profile("small.onnx --levels off,all --blocks 6 --against all").exit, 0);
  Json kept = report();
  kept["entries"][0]["ratio"] = {{"value", 0.002}, {"low", 0.001}, {"high", 0.003}};
  kept["entries"][0]["block_ratios"] = {0.001, 0.001, 0.003, 0.003, 0.003, 0.003};
  kept["environment"]["threads"] = 7;
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran fine = profile("small.onnx --levels off,all --blocks 6 --baseline kept.json");
  EXPECT_EQ(fine.exit, 0) << fine.out << fine.err << "'all' was hundreds of times slower than 'off'";
  EXPECT_TRUE(has_warning(report(), "kept_rebased"));
  EXPECT_THAT(fine.out, ContainsRegex("threads: 7 in the\\s+kept\\s+report, 1 here"));
  EXPECT_THAT(fine.out, Not(HasSubstr("the model:"))) << "it is the same file";
  for (Json& entry : kept["entries"]) entry["baseline"] = 0;
  kept["entries"][0]["name"] = "one";
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran blind = profile("small.onnx --levels all --blocks 6 --baseline kept.json");
  EXPECT_EQ(blind.exit, 0) << "its one row is what both are held against" << blind.err;
  kept["entries"][1]["ratio"] = nullptr;
  std::ofstream(folder_.path() / "kept.json") << kept;
  const Ran none = profile("small.onnx --levels all --blocks 6 --baseline kept.json");
  EXPECT_EQ(none.exit, 3) << none.out << none.err;
  EXPECT_TRUE(has_warning(report(), "no_common_row"));
}

TEST_F(Profile, AKeptProfileThatIsNoneIsRefused) {
  EXPECT_EQ(profile("small.onnx --levels off,all --blocks 1").exit, 0);
  const Json kept = report();
  fs::remove_all(folder_.path() / "run");
  std::map<std::string, Json> wrong{{"no rows", kept}, {"the name 'all'", kept}, {"the ratio of 'all'", kept}};
  wrong["no rows"]["entries"] = Json::array();
  wrong["the name 'all'"]["entries"].push_back(kept["entries"][1]);
  wrong["the ratio of 'all'"]["entries"][1]["ratio"] = {{"value", 3}, {"low", 5}, {"high", 1}};
  for (const auto& [said, report] : wrong) {
    std::ofstream(folder_.path() / "kept.json") << report;
    const Ran ran = profile("small.onnx --levels off,all --blocks 1 --baseline kept.json");
    EXPECT_EQ(ran.exit, 3) << said;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("--baseline kept.json"), HasSubstr(said)));
    EXPECT_FALSE(there("run/report.json")) << "said before anything is measured";
  }
}

TEST_F(Profile, WrongUseIsSaidBeforeAnythingIsMeasured) {
  const std::map<std::string, std::string> uses{
      {"small.onnx --levels off,fast", "--levels fast"},
      {"small.onnx --against nothing", "the rows are 'off', 'basic', 'extended', 'all'"},
      {"small.onnx --until-sure --blocks 5", "contradict"},
      {"small.onnx --protocol otx --blocks 5", "measures ten times"},
      {"small.onnx --format xml", "markdown, csv"},
      {"small.onnx --baseline small.onnx", "is no JSON"},
      {"small.onnx --baseline gone.json", "gone.json"},
      {"small.onnx --runtime 0.0.1", "--runtime 0.0.1"},
      {"small.onnx --protocol fast", "--protocol"},
      {"small.onnx --levels off,all,off", "--levels off,all,off: 'off' is named twice"},
      {"small.onnx --each eliminate_identity,eliminate_identity", "'eliminate_identity' is named twice"},
      {"small.onnx --runtime default --runtime default", "named twice"},
      {"small.onnx --against basik", "did you mean 'basic'?"},
      {"small.onnx --blocks 99999999999999999999", "too large. give a number from 1 to 10000"},
  };
  for (const auto& [words, said] : uses) {
    const Ran ran = profile(words);
    EXPECT_EQ(ran.exit, said == "is no JSON" ? 3 : 2) << words << ran.err;
    EXPECT_THAT(ran.err, HasSubstr(said)) << words;
    EXPECT_FALSE(there("run/report.json")) << words;
  }
  EXPECT_EQ(profile("gone.onnx").exit, 2);
}

TEST_F(Profile, TheRuntimeAsAnOptimizerIsItsLevels) {
  EXPECT_EQ(profile("small.onnx --optimizer onnxruntime --levels off,all --runtime default --blocks 1").exit, 0);
  EXPECT_THAT(rows(report()), ElementsAre("off", "all"));
}

/// A machine that is very busy has measured nothing yet when it is asked to end: then it is given more time.
TEST_F(Profile, CtrlCLeavesWhatWasMeasured) {
  Json found;
  for (const int seconds : {4, 15, 60}) {
    const Ran ran = shell(
        "culprit profile small.onnx --levels off,all --blocks 5000 --run-dir run 2> err > out & "
        "pid=$!; sleep " +
        std::to_string(seconds) + "; kill -INT $pid; wait $pid");
    EXPECT_EQ(ran.exit, 130) << text_of("err");
    if (there("run/report.json")) found = report();
    if (found.is_object() && found["blocks"] > 0) break;
  }
  ASSERT_TRUE(found.is_object());
  EXPECT_EQ(found["interrupted"], true);
  EXPECT_GT(found["blocks"], 0);
}

TEST_F(Profile, OtxsProtocolIsOtxs) {
  EXPECT_EQ(profile("small.onnx --levels off,all --protocol otx").exit, 0);
  const Json found = report();
  EXPECT_EQ(found["protocol"], "otx");
  EXPECT_EQ(found["entries"][1]["seconds"]["runs"], 500) << "ten times fifty";
  EXPECT_THAT(text_of("run/profile.md"), ContainsRegex("[0-9] x \\|")) << "a ratio without an interval";
}

}  // namespace
}  // namespace culprit::testing
