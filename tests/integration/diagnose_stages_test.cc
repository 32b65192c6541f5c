// `culprit diagnose --intermediate` with the real runtime: which file of a conversion in several steps is the first
// wrong one, and what became of its faults?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/model.h"
#include "support/conversion_faults.h"
#include "support/diagnosed.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Json = nlohmann::json;

/// A converted file of examples/conversion, with another mistake, and other names as the next converter gives them.
struct Step {
  std::string example;
  Fault mistake = {};
};

class Stages : public ::testing::Test {
 protected:
  Stages() : folder_(scratch()) {}

  /// `culprit diagnose trained.onnx ... --intermediate one.onnx`; the report must follow the schema.
  void diagnose(const std::vector<Step>& steps) {
    const fs::path examples = fs::path(CULPRIT_SOURCE) / "examples/conversion", run = folder_.path() / "run";
    std::vector<std::string> words = {"diagnose", examples / "trained.onnx", made(steps.back(), "target"), "--run-dir",
                                      run};
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      words.emplace_back("--intermediate");
      words.push_back(made(steps[i], "stage" + std::to_string(i + 1)));
    }
    ran_ = culprit(words);
    const auto text = read_file(run / "report.json");
    ASSERT_TRUE(text) << ran_.out << ran_.err;
    report_ = Json::parse(*text);
    const std::string source = CULPRIT_SOURCE;
    const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                                 "/docs/diagnosis.schema.json' '" + (run / "report.json").string() + "' >&2";
    EXPECT_EQ(std::system(validate.c_str()), 0);
  }

  [[nodiscard]] std::vector<std::string> steps() const {
    std::vector<std::string> told;
    for (const Json& stage : report_.at("stages")) told.push_back(stage.at("step").get<std::string>());
    return told;
  }
  /// "target.onnx graph Relu_4"
  [[nodiscard]] std::vector<std::string> faults() const {
    std::vector<std::string> told = told_faults(report_);
    for (std::size_t i = 0; i < told.size(); ++i)
      told[i] = report_.at("faults")[i].at("stage").get<std::string>() + " " + told[i];
    return told;
  }

  Ran ran_;
  Json report_;

 private:
  [[nodiscard]] std::string made(const Step& step, const std::string& name) const {
    auto model = load_proto(fs::path(CULPRIT_SOURCE) / "examples/conversion" / (step.example + ".onnx")).value();
    if (step.mistake) step.mistake(model);
    rename_all(model);
    const fs::path path = folder_.path() / (name + ".onnx");
    EXPECT_TRUE(save_model(model, path));
    return path;
  }

  TemporaryFolder folder_;
};

/// What of wrong.onnx has a wrong pool, right again.
void right_pool(onnx::ModelProto& model) {
  auto& pool = node_of_type(model, "MaxPool", 0);
  set_attribute(pool, "kernel_shape", Wholes{2, 2});
  set_attribute(pool, "pads", Wholes{0, 0, 0, 0});
}

const std::vector<std::string> faults_of_wrong = {"hyperparameter pool.kernel_shape, pads", "parameter conv1"};

TEST_F(Stages, AFaultOfTheFirstIsInheritedByTheSecond) {
  diagnose({{"wrong"}, {"wrong"}});
  EXPECT_EQ(ran_.exit, 1) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("added", "inherited"));
  EXPECT_THAT(faults(), ElementsAre("stage1.onnx " + faults_of_wrong[0], "stage1.onnx " + faults_of_wrong[1]));
  EXPECT_EQ(report_["stages"][1]["inherits"], Json({"F1", "F2"}));
  EXPECT_THAT(ran_.out, HasSubstr("! 1  stage1.onnx  wrong: adds F1, F2 (the first wrong file)"));
  EXPECT_THAT(ran_.out, HasSubstr("! 2  target.onnx  wrong: inherits F1, F2"));
  EXPECT_EQ(report_["stages"][0]["samples"].size(), 10U);
  EXPECT_TRUE(report_["stages"][1]["samples"][0]["wrong"].get<bool>());
}

TEST_F(Stages, EachAddsAFault) {
  diagnose({{"wrong"}, {"wrong", lost_operator("Relu", 1)}});
  EXPECT_EQ(ran_.exit, 1) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("added", "added"));
  ASSERT_EQ(faults().size(), 3U) << ran_.out;
  EXPECT_THAT(faults()[2], HasSubstr("target.onnx graph "));
  EXPECT_EQ(report_["stages"][1]["faults"], Json({"F3"}));
  EXPECT_EQ(report_["stages"][1]["inherits"], Json({"F1", "F2"}));
}

TEST_F(Stages, TheSecondMendsTheFirst) {
  diagnose({{"wrong"}, {"right"}});
  EXPECT_EQ(ran_.exit, 0) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("added", "mended"));
  EXPECT_EQ(report_["stages"][1]["mends"], Json({"F1", "F2"}));
  EXPECT_THAT(ran_.out, HasSubstr("stage1.onnx is wrong, and target.onnx is right again"));
}

TEST_F(Stages, TheSecondMendsOneOfTwo) {
  diagnose({{"wrong"}, {"wrong", right_pool}});
  EXPECT_EQ(ran_.exit, 1) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("added", "inherited"));
  EXPECT_EQ(report_["stages"][1]["mends"], Json({"F1"})) << ran_.out;
  EXPECT_EQ(report_["stages"][1]["inherits"], Json({"F2"}));
  EXPECT_EQ(faults().size(), 2U);
}

TEST_F(Stages, AFaultOfTheSecondAlone) {
  diagnose({{"right"}, {"transposed"}, {"transposed"}});
  EXPECT_EQ(ran_.exit, 1) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("right", "added", "inherited"));
  ASSERT_EQ(faults().size(), 1U) << ran_.out;
  EXPECT_THAT(faults()[0], HasSubstr("stage2.onnx layout "));
}

TEST_F(Stages, AllAreRight) {
  diagnose({{"right"}, {"right"}});
  EXPECT_EQ(ran_.exit, 0) << ran_.out << ran_.err;
  EXPECT_THAT(steps(), ElementsAre("right", "right"));
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_EQ(report_["message"], "");
  EXPECT_FALSE(report_["layers"].empty());
}

TEST_F(Stages, AFileThatIsNotThereIsWrongUsage) {
  const fs::path examples = fs::path(CULPRIT_SOURCE) / "examples/conversion";
  const Ran ran =
      culprit({"diagnose", examples / "trained.onnx", examples / "right.onnx", "--intermediate", "none.onnx"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("none.onnx"));
}

}  // namespace
}  // namespace culprit::testing
