// Models of TFLite and TensorFlow in the built tool, run by their own libraries, where these are there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>

#include "base/cache_folder.h"
#include "model/model.h"
#include "network/tflite/tflite_edit.h"
#include "runtime/find_library.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

const fs::path small_file = fs::path(CULPRIT_SOURCE) / "tests" / "golden" / "tflite" / "small.tflite";

/// What small.tflite computes, written as ONNX, in its layout and in that of ONNX.
constexpr const char* in_its_layout = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4,4,2] x) => (float[1,4,4,3] y)
  <float[2,3] w = {-2.5, -0.5, 1.5, -1.5, 0.5, 2.5}, float[3] b = {1.0, 2.0, 3.0}> {
    m = MatMul(x, w)  c = Add(m, b)  r = Relu(c)  s = Add(r, b)  y = Softmax <axis = -1> (s)
  })";
constexpr const char* in_layout_of_onnx = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,2,4,4] x) => (float[1,3,4,4] y)
  <float[3,2,1,1] w = {-2.5, -1.5, -0.5, 0.5, 1.5, 2.5}, float[3] b = {1.0, 2.0, 3.0}, float[1,3,1,1] d = {1.0, 2.0, 3.0}> {
    c = Conv(x, w, b)  r = Relu(c)  s = Add(r, d)  y = Softmax <axis = 1> (s)
  })";

class Formats : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"CULPRIT_TFLITE", "CULPRIT_TENSORFLOW", "CULPRIT_TEST_FRAMEWORK"}) ::unsetenv(name);
  }

  fs::path onnx_file(const char* text) {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, text).IsOK());
    EXPECT_TRUE(save_model(model, at("small.onnx")));
    return at("small.onnx");
  }

  /// small.tflite with one weight that is wrong.
  fs::path wrong_tflite() {
    auto edit = TfliteEdit::start(TfliteFile::open(small_file).value()).value();
    const std::vector<float> weights{-2.5F, -1.5F, -0.5F, 0.5F, 1.5F, 3.5F};
    EXPECT_TRUE(edit.set_data({0, 1}, {reinterpret_cast<const char*>(weights.data()), weights.size() * 4}));
    EXPECT_TRUE(edit.finish()->write(at("wrong.tflite")));
    return at("wrong.tflite");
  }

  [[nodiscard]] Ran run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--run-dir", at("run"), "--quiet"});
    return culprit(words);
  }
  [[nodiscard]] nlohmann::json report() const {
    return nlohmann::json::parse(read_file(at("run") / "report.json").value());
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_ = scratch();
};

class TfliteInTheTool : public Formats {
 protected:
  void SetUp() override {
    if (const auto library = find_tflite(); !library) GTEST_SKIP() << library.error().text();
  }
};

TEST_F(TfliteInTheTool, IsTheSameAsItselfAndAsTheSameInOnnx) {
  for (const fs::path& other : {small_file, onnx_file(in_its_layout)}) {
    for (const bool is_turned : {false, true}) {
      const Ran ran = run({"compare", is_turned ? other : small_file, is_turned ? small_file : other});
      EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
      EXPECT_THAT(ran.out, HasSubstr("inner values are compared between two ONNX models only"));
      EXPECT_EQ(report()["outputs"][0]["a"], "y");
      EXPECT_EQ(report()["data"]["samples"], 3);
    }
  }
}

TEST_F(TfliteInTheTool, AWrongWeightPartsThem) {
  const Ran ran = run({"compare", small_file, wrong_tflite()});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("MISMATCH"), HasSubstr("culprit diagnose")));
  EXPECT_GT(report()["measurements"]["y"]["floor"], 0) << "drawn: weights and inputs moved";
}

TEST_F(TfliteInTheTool, AnotherLayoutIsForDiagnose) {
  const Ran ran = run({"compare", onnx_file(in_layout_of_onnx), small_file});
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("nothing in common"), HasSubstr("culprit diagnose")));
}

TEST_F(TfliteInTheTool, IsEvaluatedBesideAnOnnxModel) {
  const Ran ran = run({"eval", onnx_file(in_its_layout), small_file, "--task", "tensor"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report()["models"].size(), 2U);
  for (const auto& model : report()["models"]) EXPECT_EQ(model["samples"], 3) << model;
}

TEST_F(TfliteInTheTool, IsProfiledBesideAnOnnxModel) {
  const Ran ran = run({"profile", onnx_file(in_its_layout), small_file, "--blocks", "3"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto entries = report()["entries"];
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1]["failure"], "") << entries[1]["failure"];
  EXPECT_GT(entries[1]["seconds"]["median"], 0);
  EXPECT_NE(entries[0]["runtime"], entries[1]["runtime"]);
  EXPECT_EQ(run({"profile", small_file, "--provider", "cuda"}).exit, 2);
}

TEST_F(TfliteInTheTool, BasicPitchIsTheSameInItsForms) {
  const fs::path forms = cache_folder() / "models" / "basic-pitch-0.4.0-forms";
  if (!fs::exists(forms)) GTEST_SKIP() << "scripts/setup networks brings basic-pitch";
  const Ran ran = run({"compare", forms / "nmp.onnx", forms / "nmp.tflite"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report()["outputs"].size(), 3U);
  EXPECT_TRUE(report()["unbound"].empty());
}

TEST_F(Formats, BasicPitchIsTheSameAsSavedModel) {
  const fs::path forms = cache_folder() / "models" / "basic-pitch-0.4.0-forms";
  if (const auto library = find_tensorflow(); !library) GTEST_SKIP() << library.error().text();
  if (!fs::exists(forms)) GTEST_SKIP() << "scripts/setup networks brings basic-pitch";
  const Ran ran = run({"compare", forms / "nmp", forms / "nmp.onnx"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(report()["outputs"].size(), 3U);
}

TEST_F(Formats, CommandsThatTakeOnnxOnlySayWhichTakeIt) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", small_file},
           {"optimize", small_file, "-o", at("out.onnx")},
           {"localize", small_file, "--passes", "eliminate_nop_pad"},
           {"reduce", small_file, "--passes", "eliminate_nop_pad", "-o", at("out.onnx")}}) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.exit, 2) << words.front() << ran.out << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("not an ONNX model: it is a TFLite model"),
                               HasSubstr("culprit compare, diagnose, eval and profile")))
        << words.front();
  }
}

TEST_F(Formats, WithoutItsLibraryOneLineSaysWhatBringsIt) {
  ::setenv("CULPRIT_TFLITE", at("none.so").c_str(), 1);
  for (const char* command : {"compare", "eval", "profile"}) {
    const Ran ran = run({command, small_file, small_file});
    EXPECT_EQ(ran.exit, 3) << command << ran.out << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("small.tflite cannot be run"), HasSubstr("scripts/setup tflite brings it")));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  }
}

TEST_F(Formats, AFrameworkThatCrashesOrHangsCostsAWorkerAndIsSaid) {
  ::setenv("CULPRIT_TFLITE", CULPRIT_TEST_CRASHING_FRAMEWORK, 1);
  for (const auto& [deed, said] :
       {std::pair{"crash", "SIGABRT"}, std::pair{"hang", "over\\s+its\\s+limit\\s+of\\s+1.0\\s+s"},
        std::pair{"nothing", "is\\s+a\\s+library,\\s+but\\s+not\\s+LiteRT"}}) {
    ::setenv("CULPRIT_TEST_FRAMEWORK", deed, 1);
    const Ran ran = run({"compare", small_file, small_file, "--timeout", "1"});
    EXPECT_EQ(ran.exit, 3) << deed << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, ContainsRegex(said));  // lines break where the path asks for it
  }
}

}  // namespace
}  // namespace culprit::testing
