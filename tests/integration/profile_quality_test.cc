// How the rows of a profile decide, and folders as models, through the real binary, on the two examples.
#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

class Quality : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    for (const char* example : {"shapes", "blocks"})
      fs::copy(fs::path(CULPRIT_SOURCE) / "examples" / example, folder_.path() / example, fs::copy_options::recursive);
  }

  Ran run(const std::string& words) { return shell("culprit " + words + " --run-dir run --quiet"); }
  Ran profile(const std::string& words) { return run("profile " + words + " --blocks 2"); }
  Json report() { return Json::parse(text_of("run/report.json")); }
  Json quality(std::size_t row) { return report()["entries"][row]["quality"]; }
  static double value(const Json& metrics, const char* name) { return metrics.at(name)["value"]; }

  /// What `eval` says of the same.
  Json evaluated(const std::string& words) {
    EXPECT_EQ(run("eval " + words).exit, 0);
    return report();
  }
};

TEST_F(Quality, EachRowDecidesAsEvalSaysOfIt) {
  const Json off = evaluated("shapes --deploy-level off"), both = evaluated("shapes shapes/coarse.onnx");
  const Ran ran = profile("shapes shapes/coarse.onnx");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(report()["entries"][0]["name"], "shapes") << "named by its folder";
  const Json first = quality(0), second = quality(1);
  EXPECT_EQ(first["task"], "classification");
  EXPECT_EQ(first["changed"], 0);
  EXPECT_EQ(first["samples"], 60) << "all, though 10 are timed";
  EXPECT_EQ(second["changed"], both["models"][1]["changed"]);
  EXPECT_GT(second["changed"], 0) << "weights of 9 levels decide otherwise somewhere";
  for (const std::size_t row : {0U, 1U})
    EXPECT_EQ(value(quality(row)["against_labels"]["variant"], "top1"),
              value(both["models"][row]["against_labels"], "top1"));
  const double top1 = value(first["against_labels"]["variant"], "top1");
  EXPECT_GT(top1, 0.5);
  EXPECT_LT(top1, 1) << "it errs";
  EXPECT_EQ(top1, value(off["models"][0]["against_labels"], "top1"));
  EXPECT_THAT(ran.out, HasSubstr("top1"));
  EXPECT_THAT(text_of("run/profile.md"), HasSubstr("| against labels |"));
  EXPECT_THAT(text_of("run/entries.csv"), HasSubstr("top1="));
  const std::string source = CULPRIT_SOURCE;
  const Ran valid = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/profile.schema.json' run/report.json");
  EXPECT_EQ(valid.exit, 0) << valid.out << valid.err;
}

TEST_F(Quality, LevelsAndRecipesAreRowsAndTheBaselineIsTheReference) {
  EXPECT_EQ(profile("blocks --each eliminate_identity,eliminate_nop_transpose --levels off").exit, 0);
  const Json found = report();
  ASSERT_EQ(found["entries"].size(), 3U);
  for (const Json& entry : found["entries"]) {
    EXPECT_EQ(entry["quality"]["task"], "detection") << entry["name"];
    EXPECT_EQ(entry["quality"]["changed"], 0);
    EXPECT_GT(value(entry["quality"]["against_labels"]["variant"], "map_50"), 0.5);
  }
  EXPECT_EQ(profile("shapes shapes/coarse.onnx --against coarse").exit, 0);
  EXPECT_GT(quality(0)["changed"], 0) << "held against the other one";
  EXPECT_EQ(quality(1)["changed"], 0);
}

TEST_F(Quality, NobodyAskedWhereDataAreMadeUp) {
  EXPECT_EQ(profile("model.onnx --levels off,all").exit, 0);
  EXPECT_TRUE(quality(0).is_null());
  EXPECT_EQ(profile("model.onnx --levels off,all --task tensor").exit, 0);
  EXPECT_EQ(quality(1)["task"], "tensor");
  EXPECT_THAT(report()["quality_about"], Contains(HasSubstr("only agreement")));
}

TEST_F(Quality, ATaskThatDoesNotFitIsToldBeforeAnythingIsTimed) {
  const Ran ran = profile("shapes --task detection");
  EXPECT_EQ(ran.exit, 3) << ran.err;
  EXPECT_FALSE(there("run/report.json"));
}

TEST_F(Quality, AKeptProfileIsAGateOfDecisions) {
  EXPECT_EQ(profile("shapes --levels off,all").exit, 0);
  fs::copy_file(folder_.path() / "run/report.json", folder_.path() / "kept.json");
  fs::copy_file(folder_.path() / "shapes/model.onnx", folder_.path() / "shapes/good.onnx");
  Json kept = Json::parse(text_of("kept.json"));
  for (Json& entry : kept["entries"]) {  // only decisions count here
    entry["ratio"] = {{"value", 1000}, {"low", 1000}, {"high", 1000}};
    entry["memory"] = nullptr;
  }
  std::ofstream(folder_.path() / "kept.json") << kept;
  EXPECT_EQ(profile("shapes --levels off,all --baseline kept.json").exit, 0);
  for (const char* wrong : {"circle", "square"})  // two classes are taken for each other
    fs::rename(folder_.path() / "shapes/pictures" / wrong,
               folder_.path() / "shapes/pictures" / (wrong + std::string("_")));
  fs::rename(folder_.path() / "shapes/pictures/circle_", folder_.path() / "shapes/pictures/square");
  fs::rename(folder_.path() / "shapes/pictures/square_", folder_.path() / "shapes/pictures/circle");
  EXPECT_EQ(profile("shapes --levels off,all --baseline kept.json").exit, 1);
  EXPECT_EQ(report()["regressions"][0]["what"], "quality");
  EXPECT_EQ(report()["regressions"][0]["metric"], "top1");
}

TEST_F(Quality, AFolderIsAModelForEveryCommand) {
  const Ran check = run("check shapes --passes fuse_bn_into_conv");
  EXPECT_EQ(check.exit, 0) << check.out << check.err;
  EXPECT_THAT(report()["models"][0]["data"]["source"], "pictures");
  EXPECT_EQ(run("compare shapes shapes").exit, 0);
  EXPECT_THAT(shell("culprit data show blocks").out, HasSubstr("16 images in blocks/pictures"));
  EXPECT_EQ(shell("culprit data show model.onnx").exit, 2);
  EXPECT_EQ(run("eval .").exit, 0) << "model.onnx of this very folder";
  fs::create_directory(folder_.path() / "empty");
  for (const char* command : {"profile", "check", "eval", "optimize"}) {
    const Ran ran = shell(std::string("culprit ") + command + " empty" +
                          (command == std::string("optimize") ? " -o out.onnx" : ""));
    EXPECT_EQ(ran.exit, 3) << command << ran.err;
    EXPECT_THAT(ran.out + ran.err, HasSubstr("a folder without a model.onnx")) << command;
  }
}

/// Such a folder may come from anywhere.
TEST_F(Quality, ItsDataLieInTheFolder) {
  const fs::path secret = folder_.path() / "blocks/pictures/00.png";
  fs::create_symlink(secret, folder_.path() / "shapes/pictures/circle/link.png");
  for (const char* command : {"profile", "check", "eval"}) {
    const Ran ran = run(std::string(command) + " shapes");
    EXPECT_EQ(ran.exit, 3) << command << ran.out;
    EXPECT_THAT(on_one_line(ran.out + ran.err), HasSubstr("link.png is a link that leads out of the model's folder"))
        << command;
  }
  EXPECT_EQ(run("eval shapes --data shapes/pictures").exit, 0) << "whoever names it wants it";
}

}  // namespace
}  // namespace culprit::testing
