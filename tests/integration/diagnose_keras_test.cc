// Files of Keras as the sources of conversions: networks that Keras makes while this runs, what TensorFlow's converters
// make of them, and mistakes that are put in.
#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>

#include "process/run_program.h"
#include "runtime/find_library.h"
#include "support/diagnosed.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DiagnoseKeras : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!find_keras()) return;
    made() = std::make_unique<TemporaryFolder>(scratch());
    use_cache_of_its_own();
    ProgramCall call;
    call.words = {find_keras()->string(), "-B", CULPRIT_SOURCE "/tests/integration/keras_nets.py", nets().string()};
    call.folder = nets();
    call.output = nets() / "said.txt";
    const auto end = end_of_program(call, nets(), {});
    ASSERT_TRUE(end) << end.error().text();
    ASSERT_FALSE(end->failed()) << end->message << "\n" << end->last_words;
  }
  static void TearDownTestSuite() { made().reset(); }
  void SetUp() override {
    CULPRIT_ONE_OF(4);
    for (const auto& framework : {find_keras(), find_tensorflow(), find_tflite()})
      if (!framework) GTEST_SKIP() << framework.error().text();
  }

  /// Keras writes the time into its files, so each of their graphs is kept anew.
  static void use_cache_of_its_own() {
    const std::pair<const char*, Result<fs::path>> found[]{{"CULPRIT_KERAS", find_keras()},
                                                           {"CULPRIT_TENSORFLOW", find_tensorflow()},
                                                           {"CULPRIT_TFLITE", find_tflite()},
                                                           {"CULPRIT_RUNTIME", find_onnxruntime("")}};
    for (const auto& [name, file] : found)
      if (file) ::setenv(name, file->c_str(), 1);
    fs::create_directories(nets() / "cache");
    ::setenv("CULPRIT_CACHE", (nets() / "cache").c_str(), 1);
  }

  static std::unique_ptr<TemporaryFolder>& made() {
    static std::unique_ptr<TemporaryFolder> folder;
    return folder;
  }
  static fs::path nets() { return made()->path(); }

  static void expect_same(const std::string& source, const std::string& target) {
    const DiagnosedFiles found = diagnose_files(nets() / source, nets() / target);
    EXPECT_EQ(found.exit, 0) << found.said;
    EXPECT_EQ(found.report.value("status", ""), "same") << found.said;
  }
  static std::vector<std::string> faults(const fs::path& source, const fs::path& target) {
    const DiagnosedFiles found = diagnose_files(source, target);
    EXPECT_EQ(found.exit, 1) << found.said;
    return found.report.is_null() ? std::vector<std::string>() : told_faults(found.report);
  }

  /// The TFLite file with one number of a kernel changed where it lies.
  [[nodiscard]] fs::path with_wrong_number() const {
    constexpr float number = -0.7291F;  // keras_nets.py's MARK
    const std::string wanted(reinterpret_cast<const char*>(&number), sizeof(number));
    std::string bytes = read_file(nets() / "cnn.tflite").value();
    const auto place = bytes.find(wanted);
    EXPECT_NE(place, std::string::npos);
    const float wrong = number + 1;
    bytes.replace(place, sizeof(wrong), reinterpret_cast<const char*>(&wrong), sizeof(wrong));
    const fs::path file = folder_.path() / "number.tflite";
    EXPECT_TRUE(write_file_atomic(file, bytes));
    return file;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(DiagnoseKeras, WhatAConverterMadeOfItIsTheSame) {
  expect_same("cnn.keras", "cnn.tflite");
  expect_same("cnn.h5", "cnn.onnx");
  expect_same("lstm.keras", "lstm.tflite");
  expect_same("two.keras", "two.tflite");
}

TEST_F(DiagnoseKeras, ItCanBeTheTargetToo) {
  expect_same("cnn.tflite", "cnn.keras");
  EXPECT_THAT(faults(nets() / "strides.tflite", nets() / "cnn.keras"), ElementsAre(HasSubstr("hyperparameter")));
}

TEST_F(DiagnoseKeras, AWrongNumberOfAKernelIsNamed) {
  EXPECT_THAT(faults(nets() / "cnn.keras", with_wrong_number()), ElementsAre("parameter second"));
}

TEST_F(DiagnoseKeras, WrongSettingsAreNamed) {
  EXPECT_THAT(faults(nets() / "cnn.keras", nets() / "strides.tflite"),
              ElementsAre(AllOf(HasSubstr("hyperparameter second"), HasSubstr("strides"))));
  EXPECT_THAT(faults(nets() / "cnn.keras", nets() / "padding.tflite"), ElementsAre("hyperparameter second.pads"));
  EXPECT_THAT(faults(nets() / "cnn.h5", nets() / "pool.tflite"), ElementsAre("graph pool"));
}

/// From Keras to TFLite to ONNX, by the converters themselves: the second file has what the first did wrong.
TEST_F(DiagnoseKeras, AFaultOfTheFirstOfTwoConvertersIsBlamedOnIt) {
  const fs::path run = folder_.path() / "run";
  const Ran ran = culprit({"diagnose", nets() / "cnn.keras", nets() / "strides.onnx", "--intermediate",
                           nets() / "strides.tflite", "--run-dir", run});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const auto report = nlohmann::json::parse(read_file(run / "report.json").value());
  ASSERT_EQ(report.at("faults").size(), 1U) << ran.out;
  EXPECT_EQ(report.at("faults").at(0).at("stage"), "strides.tflite");
  EXPECT_EQ(report.at("stages").at(0).at("faults"), nlohmann::json({"F1"}));
  EXPECT_EQ(report.at("stages").at(1).at("inherits"), nlohmann::json({"F1"}));
  EXPECT_EQ(report.at("stages").at(1).at("faults").size(), 0U);
}

TEST_F(DiagnoseKeras, ALayerWithExchangedGatesIsNamedWithoutAProof) {
  EXPECT_THAT(faults(nets() / "lstm.keras", nets() / "gates.tflite"), ElementsAre("graph memory?"));
}

/// The whole way: Keras, TFLite, the mistake, the mended file.
TEST_F(DiagnoseKeras, AWrongTfliteFileIsMended) {
  for (const std::string wrong : {"padding.tflite", "strides.tflite", "pool.tflite"}) {
    const fs::path out = nets() / ("mended_" + wrong);
    const Ran ran =
        culprit({"repair", nets() / "cnn.keras", nets() / wrong, "-o", out, "--run-dir", nets() / "mending"});
    EXPECT_EQ(ran.exit, 0) << wrong << ran.out << ran.err;
    EXPECT_EQ(diagnose_files(nets() / "cnn.keras", out).exit, 0) << wrong;
  }
}

/// The source is rounded likewise, to know what the rounding costs.
TEST_F(DiagnoseKeras, ATargetOfHalfPrecisionIsHeldAgainstTheSourceInHalfPrecision) {
  expect_same("cnn.keras", "half.tflite");
  const DiagnosedFiles wrong = diagnose_files(nets() / "cnn.keras", nets() / "half_wrong.tflite");
  EXPECT_EQ(wrong.exit, 3) << wrong.said;
  EXPECT_THAT(on_one_line(wrong.said), HasSubstr("where the source rounded likewise is off by"));
}

TEST_F(DiagnoseKeras, LayersAndInputsAreCalledAsInTheFile) {
  const DiagnosedFiles found = diagnose_files(nets() / "two.keras", nets() / "two.tflite");
  ASSERT_FALSE(found.report.is_null()) << found.said;
  EXPECT_EQ(found.report.at("source").at("format"), "Keras");
  std::vector<std::string> inputs;
  for (const auto& input : found.report.at("inputs")) inputs.push_back(input.at("source"));
  EXPECT_THAT(inputs, ElementsAre("left:0", "right:0"));
  std::vector<std::string> values;
  for (const auto& value : found.report.at("map").at("values")) values.push_back(value.at("source"));
  for (const char* name : {"twin", "twin:1", "inner/dense", "both"})
    EXPECT_THAT(values, ::testing::Contains(name)) << found.said;
}

/// The source takes any number of pictures, and the target one: the data have their size.
TEST_F(DiagnoseKeras, DataHaveTheLayoutOfTheSource) {
  const Ran ran = culprit({"diagnose", nets() / "cnn.keras", nets() / "cnn.tflite", "--data", nets() / "pictures.npz"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("1 sample")) << ran.out;
}

TEST_F(DiagnoseKeras, CodeOfStrangersRunsOnlyWhereItIsTrusted) {
  const DiagnosedFiles refused = diagnose_files(nets() / "foreign.keras", nets() / "foreign.tflite");
  EXPECT_EQ(refused.exit, 3) << refused.said;
  EXPECT_THAT(refused.said, AllOf(HasSubstr("foreign.keras"), HasSubstr("double"), HasSubstr("--trust")));
  const Ran trusted = culprit({"diagnose", nets() / "foreign.keras", nets() / "foreign.tflite", "--trust"});
  EXPECT_EQ(trusted.exit, 0) << trusted.out << trusted.err;
}

TEST_F(DiagnoseKeras, OtherCommandsRunItByTheSameGraph) {
  const Ran compared = culprit({"compare", nets() / "cnn.keras", nets() / "cnn.tflite"});
  EXPECT_EQ(compared.exit, 0) << compared.out << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("cnn.keras"));
  const Ran profiled = culprit({"profile", nets() / "cnn.keras", "--blocks", "1"});
  EXPECT_EQ(profiled.exit, 0) << profiled.out << profiled.err;
  const Ran checked = culprit({"check", nets() / "cnn.keras"});
  EXPECT_EQ(checked.exit, 2);
  EXPECT_THAT(checked.err, HasSubstr("it is a model of Keras"));
}

TEST_F(DiagnoseKeras, ADamagedFileIsSaidOnOneLine) {
  const std::string bytes = read_file(nets() / "cnn.keras").value();
  const fs::path file = folder_.path() / "cut.keras";
  ASSERT_TRUE(write_file_atomic(file, bytes.substr(0, bytes.size() / 2)));
  const DiagnosedFiles found = diagnose_files(file, nets() / "cnn.tflite");
  EXPECT_GE(found.exit, 2) << found.said;
  EXPECT_THAT(found.said, HasSubstr("cut.keras"));
}

}  // namespace
}  // namespace culprit::testing
