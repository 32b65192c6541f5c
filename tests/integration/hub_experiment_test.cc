// DiTOX's experiment on a hub of this machine: the zoo and 30 made networks, by examples/campaigns/ditox.yaml. It takes
// many minutes, so `make test-all` runs it alone.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "campaign_folder.h"
#include "support/loopback_server.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string numbers(std::mt19937& random, std::size_t count, double scale) {
  std::uniform_real_distribution<double> uniform(-scale, scale);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(uniform(random));
  return text;
}

/// Two convolutions with BatchNormalization, of which ONNX Optimizer fuses both, and Identity and Dropout nodes.
std::string body_of(std::mt19937& random, int channels) {
  const std::string c = std::to_string(channels);
  const auto many = [&](std::size_t each, double scale) {
    return numbers(random, each * static_cast<std::size_t>(channels), scale);
  };
  return "<float[" + c + ",3,3,3] w1 = {" + many(27, 0.4) + "}, float[" + c + "] s1 = {" + many(1, 1) + "}, float[" +
         c + "] b1 = {" + many(1, 0.2) + "}, float[" + c + "] m1 = {" + many(1, 0.2) + "}, float[" + c + "] v1 = {" +
         [&] {
           std::string ones;
           for (int i = 0; i < channels; ++i) ones += (i == 0 ? "" : ", ") + std::string("1.0");
           return ones;
         }() +
         "}";
}

/// The head of a model, with the key that says how pictures are fed.
std::string head_of(int opset) {
  return "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
         "], metadata_props: [\"Image.NominalPixelRange\": \"Normalized_0_1\"]>\n";
}

/// How many rows of tables are about models whose names begin so.
int rows_of(const std::string& text, const std::string& name) {
  const std::string row = "| <code>hub:" + name;
  int rows = 0;
  for (auto at = text.find(row); at != std::string::npos; at = text.find(row, at + 1)) ++rows;
  return rows;
}

std::string classifier(std::mt19937& random, int opset, int channels, int classes) {
  const std::string c = std::to_string(channels), k = std::to_string(classes);
  return head_of(opset) + "classifier (float[1,3,32,32] x) => (float[1," + k + "] scores)\n" +
         body_of(random, channels) + ", float[" + c + "," + k + "] w2 = {" +
         numbers(random, static_cast<std::size_t>(channels * classes), 1) +
         "}>\n{\n"
         "  a = Conv<pads = [1, 1, 1, 1]>(x, w1)\n  n = BatchNormalization(a, s1, b1, m1, v1)\n  r = Relu(n)\n"
         "  i = Identity(r)\n  g = GlobalAveragePool(i)\n  f = Flatten(g)\n  l = MatMul(f, w2)\n"
         "  scores = Softmax<axis = 1>(l)\n}";
}

/// A place of 8 x 8 has one box of one class and the background.
std::string detector(std::mt19937& random, int opset, int channels) {
  const std::string c = std::to_string(channels);
  return head_of(opset) + "detector (float[1,3,32,32] x) => (float[1,64,2] scores, float[1,64,4] boxes)\n" +
         body_of(random, channels) + ", float[2," + c + ",1,1] ws = {" +
         numbers(random, 2 * static_cast<std::size_t>(channels), 4) + "}, float[4," + c + ",1,1] wb = {" +
         numbers(random, 4 * static_cast<std::size_t>(channels), 1) +
         "}, int64[3] to2 = {1, -1, 2}, int64[3] to4 = {1, -1, 4}>\n{\n"
         "  a = Conv<pads = [1, 1, 1, 1], strides = [4, 4]>(x, w1)\n  n = BatchNormalization(a, s1, b1, m1, v1)\n"
         "  r = Relu(n)\n  i = Identity(r)\n  cs = Conv(i, ws)\n  ts = Transpose<perm = [0, 2, 3, 1]>(cs)\n"
         "  rs = Reshape(ts, to2)\n  scores = Softmax<axis = 2>(rs)\n  cb = Conv(i, wb)\n"
         "  tb = Transpose<perm = [0, 2, 3, 1]>(cb)\n  rb = Reshape(tb, to4)\n  boxes = Sigmoid(rb)\n}";
}

class HubExperiment : public Campaigns {
 protected:
  void make_networks() {
    std::mt19937 random(7);
    constexpr int each = 15;
    for (int i = 0; i < each; ++i) {
      const std::string number = std::to_string(i);
      write_model("hub/vision/classification/made-classifier-" + number + ".onnx",
                  classifier(random, 9 + i % 10, 4 + i % 3, 5 + i % 7).c_str());
      write_model("hub/vision/object_detection_segmentation/made-detector-" + number + ".onnx",
                  detector(random, 13 + i % 6, 4 + i % 3).c_str());
    }
  }
  void copy_zoo(const fs::path& zoo) {
    for (const auto& entry : fs::directory_iterator(zoo / "models")) {
      const std::string name = entry.path().filename().string();
      if (entry.path().extension() != ".onnx") continue;
      const bool is_detector = name.starts_with("ultraface");
      const bool is_classifier = name.starts_with("light-") || name.starts_with("mnist") || name.starts_with("squeeze");
      const std::string kind = is_detector     ? "vision/object_detection_segmentation"
                               : is_classifier ? "vision/classification"
                                               : "other";
      fs::create_directories(folder_.path() / "hub" / kind);
      fs::copy(entry.path(), folder_.path() / "hub" / kind / name);
    }
  }
};

TEST_F(HubExperiment, OfDitoxOnTheZooAndMadeNetworks) {
  if (const char* turn = std::getenv("CULPRIT_TEST_TURN"); turn != nullptr && *turn != '\0')
    GTEST_SKIP() << "it takes long: make test-all";
  const char* zoo = std::getenv("CULPRIT_ZOO");
  if (zoo == nullptr) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  fs::create_directories(folder_.path() / "hub/vision/classification");
  fs::create_directories(folder_.path() / "hub/vision/object_detection_segmentation");
  make_networks();
  copy_zoo(zoo);
  ASSERT_EQ(shell("culprit hub index hub").exit, 0);
  const LoopbackServer server([&](const AskedOf& asked) {
    std::error_code error;
    const fs::path file = folder_.path() / ("hub" + asked.path);
    return fs::is_regular_file(file, error) ? answer_of("200 OK", read_file(file).value())
                                            : answer_of("404 Not Found", "");
  });
  const std::string source = CULPRIT_SOURCE;
  const Ran ran =
      shell("export CULPRIT_HUB=" + server.url("") + " CULPRIT_HUB_CACHE=$PWD/cache\ncp -r '" + std::string(zoo) +
            "/images' . && sed 's/--budget 30m/--budget 3m --no-localize --no-repro/' '" + source +
            "/examples/campaigns/ditox.yaml' > ditox.yaml && culprit run ditox.yaml --run-dir run");
  EXPECT_TRUE(ran.exit == 1 || ran.exit == 3) << ran.out << ran.err;
  const Ran tables = shell("culprit show run --predictions --format markdown");
  EXPECT_EQ(tables.exit, 0) << tables.err;
  EXPECT_THAT(tables.out, AllOf(HasSubstr("### Predictions: classification"), HasSubstr("### Predictions: detection"),
                                HasSubstr("top1_agreement"), HasSubstr("f1_iou50")));
  const std::string predictions = tables.out.substr(std::min(tables.out.find("### Predictions"), tables.out.size()));
  EXPECT_EQ(rows_of(predictions, "made-classifier-"), 15);
  EXPECT_EQ(rows_of(predictions, "made-detector-"), 15);
  if (const char* kept = std::getenv("CULPRIT_KEEP_TABLES")) std::ofstream(kept) << ran.out << tables.out;
  const nlohmann::json record = shown();
  EXPECT_EQ(record["cases"].size(), 43U);
  EXPECT_EQ(record["by_state"]["finished"], 43);
  EXPECT_EQ(record["by_status"]["inconclusive"], 0) << "of each it must be known how pictures are fed";
}

}  // namespace
}  // namespace culprit::testing
