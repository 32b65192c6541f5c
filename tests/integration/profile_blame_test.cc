// `culprit profile --blame` through the real binary: what it asks, what it finds, and what it says where it asks
// nothing or the time is spent. Of how fast anything is only that twenty times the work takes longer.
#include <algorithm>
#include <fstream>
#include <string>

#include "cli_folder.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Json = nlohmann::json;

/// An optimizer of four steps, of which `slow` makes the model do twenty times the work.
class ProfileBlame : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write_model("once.onnx", net(1).c_str());
    write_model("slow.onnx", net(20).c_str());
    std::ofstream(folder_.path() / "slow.sh") << "case \"$3\" in *slow*) cp \"$1\" \"$2\";; "
                                                 "*) cp \"$(dirname \"$0\")/slow.onnx\" \"$2\";; esac\n";
    std::ofstream(folder_.path() / "four.yaml") << "name: four\nabout: four steps\n"
                                                   "command: [sh, \"{here}/slow.sh\", \"{input}\", \"{output}\", "
                                                   "\"{choice}\"]\n"
                                                   "steps:\n  - names: [tidy, docs, slow, shuffle]\n"
                                                   "    skip: [\"--skip={steps}\"]\n";
  }

  Ran profile(const std::string& words) { return shell("culprit profile " + words + " --run-dir run --quiet"); }
  Json report() { return Json::parse(text_of("run/report.json")); }

  static bool has_warning(const Json& place, const std::string& code) {
    return std::ranges::any_of(place["warnings"], [&](const Json& one) { return one["code"] == code; });
  }

  static std::string net(int products) {
    std::string nodes = "a0 = Relu(x) ";
    for (int i = 1; i <= products; ++i)
      nodes += "a" + std::to_string(i) + " = MatMul(a" + std::to_string(i - 1) + ", x) ";
    return R"(<ir_version: 8, opset_import: ["" : 13]> net (float[128,128] x) => (float[128,128] y) { )" + nodes +
           "y = Relu(a" + std::to_string(products) + ") }";
  }
};

TEST_F(ProfileBlame, NamesTheStepAndWhatItAsked) {
  const Ran ran = profile("once.onnx --optimizer four.yaml --blocks 6 --blame");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const Json blames = report()["blames"];
  ASSERT_THAT(blames, SizeIs(1));
  EXPECT_THAT(blames[0]["steps"], ElementsAre("slow"));
  EXPECT_THAT(blames[0]["open"], IsEmpty());
  EXPECT_EQ(blames[0]["seconds_left"], 0);
  EXPECT_EQ(blames[0]["questions"], 6) << "all, none, the halves, slow, and all without it: " << blames[0];
  EXPECT_THAT(blames[0]["answers"], SizeIs(6));
  const auto answers = blames[0]["answers"];
  const auto measured = std::ranges::count_if(answers, [](const Json& one) { return one["seconds"] > 0; });
  EXPECT_EQ(measured, 2) << "with and without it are two graphs";
  EXPECT_THAT(ran.out, HasSubstr("slow makes it slower"));
}

TEST_F(ProfileBlame, WithoutTimeWhatIsOpenAndTheTimeThatDoesAreTold) {
  EXPECT_EQ(profile("once.onnx --optimizer four.yaml --blocks 6 --blame --budget 6s").exit, 0);
  const Json found = report();
  if (found["blames"].empty()) {
    EXPECT_TRUE(has_warning(found, "nothing_to_blame")) << "on a machine that is too busy for six blocks";
    EXPECT_TRUE(has_warning(found, "budget_spent"));
    return;
  }
  const Json blame = found["blames"][0];
  EXPECT_EQ(blame["answers"].size(), blame["questions"]);
  if (blame["open"].empty()) {
    EXPECT_THAT(blame["steps"], ElementsAre("slow")) << "a machine that is fast enough";
    return;
  }
  EXPECT_THAT(blame["open"], Contains("slow"));
  EXPECT_TRUE(has_warning(found, "budget_spent"));
  EXPECT_THAT(text_of("run/profile.md"), HasSubstr("open:"));
}

TEST_F(ProfileBlame, WhereNoRowIsSlowerBlameSaysSo) {
  fs::copy_file(folder_.path() / "once.onnx", folder_.path() / "copy.onnx");
  EXPECT_EQ(profile("once.onnx copy.onnx --levels off --blocks 2 --blame").exit, 0);
  EXPECT_THAT(report()["blames"], IsEmpty());
  EXPECT_TRUE(has_warning(report(), "nothing_to_blame"));
}

}  // namespace
}  // namespace culprit::testing
