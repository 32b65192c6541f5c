// `culprit eval`: curves, calibration, figures, and what is right of embeddings.
#include <algorithm>
#include <cmath>

#include "eval_folder.h"
#include "unit/samples/data/npz_file.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EvalScores : public Eval {
 protected:
  /// Chances of two classes as the model gets them; the second model is less sure.
  std::string as_given() {
    return model("given.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,2] x) => (float[1,2] prob) { prob = Identity(x) })");
  }
  std::string less_sure() {
    return model("less.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,2] x) => (float[1,2] prob) <float half = {0.5}, float some = {0.25}>
      { y = Mul(x, half) prob = Add(y, some) })");
  }
  /// `count` rows with the chance of class 1, and what is right.
  void write_rows(std::size_t count) {
    Random random(11);
    std::vector<float> rows;
    std::vector<std::int64_t> right;
    for (std::size_t i = 0; i < count; ++i) {
      const auto yes = static_cast<float>(random.between(0, 16)) / 16;
      rows.insert(rows.end(), {1 - yes, yes});
      right.push_back(random.uniform() < yes ? 1 : 0);
    }
    const auto n = static_cast<std::int64_t>(count);
    write_npz(path("rows.npz"), {{"x", Tensor::of<float>({n, 2}, rows)}, {"y", Tensor::of<std::int64_t>({n}, right)}});
  }
  std::vector<std::string> figures() {
    std::vector<std::string> files;
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(folder_.path() / "run" / "figures", ignored))
      files.push_back(file.path().filename().string());
    std::ranges::sort(files);
    return files;
  }
};

TEST_F(EvalScores, CurvesAndCalibrationOfTwoModels) {
  write_rows(400);
  const Ran ran = eval({as_given(), less_sure(), "--data", path("rows.npz"), "--task", "classification"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json &first = ran.report["models"][0], &second = ran.report["models"][1];
  EXPECT_EQ(first["curves"]["kind"], "one_class");
  EXPECT_EQ(first["curves"]["class"], "1");
  EXPECT_EQ(first["curves"]["roc"]["hit_rate"].size(), 101U);
  EXPECT_GT(first["against_labels"]["auc"]["value"], 0.75);
  EXPECT_EQ(first["against_labels"]["auc"]["value"], second["against_labels"]["auc"]["value"])
      << "the order is the same";
  EXPECT_EQ(first["curves"]["roc"]["hit_rate"], second["curves"]["roc"]["hit_rate"]);
  EXPECT_NE(first["curves"]["roc"]["thresholds"], second["curves"]["roc"]["thresholds"]);
  EXPECT_EQ(first["calibration"]["predictions"], 400);
  EXPECT_LT(first["calibration"]["ece"], 0.08) << "labels are drawn by its chances";
  EXPECT_GT(second["calibration"]["ece"], 0.1);
  EXPECT_TRUE(first["calibration"]["against_first"].is_null());
  const double change = second["calibration"]["ece"].get<double>() - first["calibration"]["ece"].get<double>();
  EXPECT_NEAR(second["calibration"]["against_first"]["ece"].get<double>(), change, 1e-12);
  EXPECT_GT(second["calibration"]["against_first"]["brier"]["low"], 0);
  EXPECT_THAT(ran.out, HasSubstr("calibration: ECE 0."));
  EXPECT_THAT(ran.out, HasSubstr("against that of M1: ECE +0."));
  EXPECT_EQ(figures(), (std::vector<std::string>{"changed_M2.svg", "confusion_M1.svg", "confusion_M2.svg",
                                                 "precision_recall.svg", "reliability.svg", "roc.svg"}));
  EXPECT_THAT(ran.out, HasSubstr("figures"));
}

TEST_F(EvalScores, ChunksMakeNoDifference) {
  write_rows(3000);
  const std::vector<std::string> words{as_given(), less_sure(), "--data", path("rows.npz"), "--task", "classification"};
  std::vector<json> models;
  for (const char* jobs : {"1", "2"}) {
    auto asked = words;
    asked.insert(asked.end(), {"--jobs", jobs});
    const Ran ran = eval(asked);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    models.push_back(ran.report["models"]);
    fs::remove_all(path("run"));
  }
  for (const char* key : {"curves", "calibration", "against_labels", "by_class", "became"})
    for (std::size_t model = 0; model < 2; ++model) EXPECT_EQ(models[0][model][key], models[1][model][key]) << key;
}

TEST_F(EvalScores, WhatIsNoChanceIsNotCalibratedAndFiguresOfAnEarlierRunGo) {
  write_rows(40);
  const std::string logits = model("logits.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,2] x) => (float[1,2] logits) <float four = {4}> { logits = Mul(x, four) })");
  const Ran raw = eval({logits, "--data", path("rows.npz"), "--task", "classification"});
  ASSERT_EQ(raw.exit, 0) << raw.err;
  EXPECT_TRUE(raw.report["models"][0]["calibration"].is_null());
  EXPECT_THAT(raw.out, HasSubstr("no calibration: on 40 of 40 samples the scores are no chances"));
  EXPECT_EQ(figures(), (std::vector<std::string>{"confusion_M1.svg", "precision_recall.svg", "roc.svg"}));
  const Ran soft = eval({logits, "--data", path("rows.npz"), "--softmax"});
  ASSERT_EQ(soft.exit, 0) << soft.err;
  EXPECT_EQ(soft.report["models"][0]["calibration"]["predictions"], 40);
  EXPECT_EQ(figures().size(), 4U);
  const Ran unlabelled = eval({logits, "--samples", "5", "--task", "tensor"});
  ASSERT_EQ(unlabelled.exit, 0) << unlabelled.err;
  EXPECT_TRUE(figures().empty());
  EXPECT_FALSE(fs::exists(path("run/figures")));
}

/// Vectors of four samples: the first two point the same way, and so do the others.
TEST_F(EvalScores, EmbeddingsAreHeldAgainstPairsAndLabels) {
  const std::string vectors = model("vectors.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,3] x) => (float[1,3] embedding) { embedding = Identity(x) })");
  const std::string mixed = model("mixed.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,3] x) => (float[1,3] embedding) <float[1,3] mask = {0, 1, 1}> { embedding = Mul(x, mask) })");
  const Tensor rows = Tensor::of<float>({4, 3}, {1, 0.25F, 0, 1, 0, 0.25F, -1, 0.25F, 0, -1, 0, 0.25F});
  write_npz(path("rows.npz"), {{"x", rows}});
  ASSERT_TRUE(write_file_atomic(path("pairs.csv"), "a,b,same\n0,1,1\n2,3,1\n0,2,0\n1,3,0\n"));
  const Ran ran = eval({vectors, mixed, "--data", path("rows.npz"), "--pairs", path("pairs.csv")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json &first = ran.report["models"][0]["against_labels"], &second = ran.report["models"][1]["against_labels"];
  EXPECT_EQ(first["pair_accuracy"]["value"], 1);
  EXPECT_EQ(first["eer"]["value"], 0);
  EXPECT_EQ(first["tar_at_far_1e-2"]["value"], 1);
  EXPECT_EQ(second["pair_auc"]["value"], 0) << "what tells them apart is gone";
  EXPECT_THAT(ran.out, HasSubstr("against the labels of 4 samples"));
  fs::remove_all(path("run"));

  ASSERT_TRUE(write_file_atomic(path("pairs.csv"), "0,1,1\n0,9,0\n"));
  const Ran refused = eval({vectors, "--data", path("rows.npz"), "--pairs", path("pairs.csv")});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("line 2: '9' is none of the samples"));
  const Ran other = eval({vectors, "--data", path("rows.npz"), "--pairs", path("pairs.csv"), "--task", "tensor"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("--pairs is for embedding"));

  write_npz(path("kinds.npz"), {{"x", rows}, {"y", Tensor::of<std::int64_t>({4}, {7, 7, 8, 8})}});
  const Ran kinds = eval({vectors, mixed, "--data", path("kinds.npz")});
  ASSERT_EQ(kinds.exit, 0) << kinds.err;
  EXPECT_EQ(kinds.report["models"][0]["against_labels"]["recall_1"]["value"], 1);
  EXPECT_EQ(kinds.report["models"][0]["against_labels"]["map"]["value"], 1);
  EXPECT_EQ(kinds.report["models"][1]["against_labels"]["recall_1"]["value"], 0);
}

}  // namespace
}  // namespace culprit::testing
