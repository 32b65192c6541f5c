// One network is there as a SavedModel, a TFLite file and an ONNX file, made by other hands: are they the same, and is
// what is changed in one of them named?
#include <gmock/gmock.h>

#include <functional>

#include "base/cache_folder.h"
#include "network/graph_def.pb.h"
#include "network/model_of_file.h"
#include "network/tensorflow/tensor_value.h"
#include "runtime/find_library.h"
#include "runtime/freeze_saved_model.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class DiagnoseTensorflow : public ::testing::Test {
 protected:
  void SetUp() override {
    CULPRIT_ONE_OF(4);
    for (const auto& framework : {find_tensorflow(), find_tflite(), find_keras()})
      if (!framework) GTEST_SKIP() << framework.error().text();
    if (!std::filesystem::exists(forms)) GTEST_SKIP() << forms << " is not there: scripts/setup networks";
  }

  Json diagnose(const std::filesystem::path& source, const std::filesystem::path& target) {
    const auto run = folder.path() / ("run" + std::to_string(runs++));
    ran = culprit({"diagnose", source, target, "--run-dir", run});
    const auto text = read_file(run / "report.json");
    EXPECT_TRUE(text) << ran.err;
    return text ? Json::parse(*text) : Json();
  }
  void expect_same(const std::string& source, const std::string& target) {
    const Json report = diagnose(forms / source, forms / target);
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_EQ(report.value("status", ""), "same") << ran.out;
  }

  /// The frozen graph with one node changed.
  std::filesystem::path changed(const std::string& name, const std::function<void(tensorflow::Node&)>& change) {
    const auto saved = forms / "nmp";
    const auto frozen = freeze_saved_model(saved, load_any_model(saved)->facts.sha256, {.scratch = folder.path()});
    EXPECT_TRUE(frozen) << frozen.error().text();
    tensorflow::Graph graph;
    EXPECT_TRUE(graph.ParseFromString(read_file(*frozen).value()));
    int found = 0;
    for (auto& node : *graph.mutable_nodes())
      if (node.name().ends_with(name)) {
        change(node);
        ++found;
      }
    EXPECT_EQ(found, 1) << name;
    const auto file = folder.path() / "changed.pb";
    EXPECT_TRUE(write_file_atomic(file, graph.SerializeAsString()));
    return file;
  }
  /// "parameter conv2d_3/Conv2D" of each fault, with the node of the target.
  std::vector<std::string> faults_of(const Json& report) {
    std::vector<std::string> words;
    for (const Json& fault : report.at("faults")) {
      const std::string node = fault.at("target").at("node").is_null()
                                   ? "none"
                                   : fault.at("target").at("node").at("name").get<std::string>();
      const auto model = node.find("model_1/");
      words.push_back(fault.at("class").get<std::string>() + " " +
                      (model == std::string::npos ? node : node.substr(model + 8)) +
                      (fault.at("confirmed").get<bool>() ? "" : "?"));
    }
    return words;
  }

  const std::filesystem::path forms = cache_folder() / "models/basic-pitch-0.4.0-forms";
  TemporaryFolder folder = scratch();
  Ran ran;
  int runs = 0;
};

TEST_F(DiagnoseTensorflow, ASavedModelAndItsOnnxFileAreTheSame) { expect_same("nmp", "nmp.onnx"); }
TEST_F(DiagnoseTensorflow, AnOnnxFileAndItsSavedModelAreTheSame) { expect_same("nmp.onnx", "nmp"); }
TEST_F(DiagnoseTensorflow, ASavedModelAndItsTfliteFileAreTheSame) { expect_same("nmp", "nmp.tflite"); }
TEST_F(DiagnoseTensorflow, ATfliteFileAndItsOnnxFileAreTheSame) { expect_same("nmp.tflite", "nmp.onnx"); }

TEST_F(DiagnoseTensorflow, AWrongWeightIsNamed) {
  const auto target = changed("conv2d_3/kernel", [](tensorflow::Node& node) {
    std::uint64_t most = 0;
    const Tensor kernel = tensor_of_tensorflow(node.attributes().at("value").tensor(), most).value();
    std::vector<float> numbers(kernel.as<float>().begin(), kernel.as<float>().end());
    numbers[5] += 1;
    (*node.mutable_attributes())["value"].set_tensor(tensorflow_tensor(Tensor::of(kernel.shape(), numbers)).value());
  });
  const Json report = diagnose(forms / "nmp", target);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(faults_of(report), ElementsAre("parameter conv2d_3/Conv2D")) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("conv2d_3/kernel:0"));
}

TEST_F(DiagnoseTensorflow, AWrongStrideIsNamed) {
  const auto target = changed("conv2d_2/Conv2D", [](tensorflow::Node& node) {
    (*node.mutable_attributes())["strides"].mutable_list()->set_integers(2, 1);
  });
  const Json report = diagnose(forms / "nmp", target);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(faults_of(report), ElementsAre("hyperparameter conv2d_2/Conv2D")) << ran.out;
}

TEST_F(DiagnoseTensorflow, AnotherActivationIsNamed) {
  const auto target = changed("re_lu_2/Relu", [](tensorflow::Node& node) { node.set_op("Sigmoid"); });
  const Json report = diagnose(forms / "nmp", target);
  EXPECT_EQ(ran.exit, 1) << ran.err;
  EXPECT_THAT(faults_of(report), ElementsAre("graph re_lu_2/Relu")) << ran.out;
}

/// One number of a kernel is changed where it lies in the file.
TEST_F(DiagnoseTensorflow, AWrongWeightOfAnotherFormatIsNamed) {
  constexpr float number = -0.012147872F;  // of conv2d_3/kernel
  const std::string wanted(reinterpret_cast<const char*>(&number), sizeof(number));
  for (const char* name : {"nmp.tflite", "nmp.onnx"}) {
    std::string bytes = read_file(forms / name).value();
    const auto place = bytes.find(wanted);
    ASSERT_NE(place, std::string::npos) << name;
    const float wrong = number + 1;
    bytes.replace(place, sizeof(wrong), reinterpret_cast<const char*>(&wrong), sizeof(wrong));
    const auto file = folder.path() / name;
    ASSERT_TRUE(write_file_atomic(file, bytes));
    const Json report = diagnose(forms / "nmp", file);
    EXPECT_EQ(ran.exit, 1) << ran.err;
    ASSERT_EQ(report.at("faults").size(), 1U) << ran.out;
    const Json& fault = report.at("faults")[0];
    EXPECT_EQ(fault.at("class"), "parameter");
    EXPECT_TRUE(fault.at("confirmed").get<bool>());
    EXPECT_THAT(fault.at("source").at("name").get<std::string>(), HasSubstr("conv2d_3"));
  }
}

}  // namespace
}  // namespace culprit::testing
