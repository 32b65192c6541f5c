// `culprit eval`: what is right beside what was decided, and every decision told.
#include <cmath>
#include <utility>

#include "eval_folder.h"
#include "unit/samples/data/npz_file.h"

namespace culprit::testing {
namespace {

/// Masks and numbers that folders of samples say are right; a model that gives what it is fed shows both.
TEST_F(Eval, OutputsInFoldersAreWhatIsRight) {
  const std::string masks = model("masks.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[1,4,4] x) => (int64[1,4,4] y) { y = Identity(x) })");
  const auto tensor = [](const std::string& name, const std::vector<std::int64_t>& numbers) {
    onnx::TensorProto made;
    made.set_name(name);
    made.set_data_type(onnx::TensorProto::INT64);
    for (const int size : {1, 4, 4}) made.add_dims(size);
    for (const std::int64_t number : numbers) made.add_int64_data(number);
    return made.SerializeAsString();
  };
  for (int set = 0; set < 4; ++set) {
    std::vector<std::int64_t> shown(16), right(16);
    for (std::size_t i = 0; i < 16; ++i) shown[i] = static_cast<std::int64_t>(i / 8);
    for (std::size_t i = 0; i < 16; ++i) right[i] = static_cast<std::int64_t>(i / 4 % 2);
    const fs::path folder = folder_.path() / "sets" / ("test_data_set_" + std::to_string(set));
    fs::create_directories(folder);
    ASSERT_TRUE(write_file_atomic(folder / "input_0.pb", tensor("x", shown)));
    ASSERT_TRUE(write_file_atomic(folder / "output_0.pb", tensor("y", right)));
  }
  for (const std::vector<std::string>& asked : {std::vector<std::string>{}, {"--task", "segmentation"}}) {
    std::vector<std::string> words{masks, masks, "--data", path("sets")};
    words.insert(words.end(), asked.begin(), asked.end());
    const Ran ran = eval(words);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    const json& labels = ran.report["models"][1]["against_labels"];
    ASSERT_EQ(ran.report["models"][1]["labelled"], 4) << ran.report;
    EXPECT_DOUBLE_EQ(labels["pixel_accuracy"]["value"], 0.5);
    EXPECT_DOUBLE_EQ(labels["miou"]["value"], 1.0 / 3);
    fs::remove_all(path("run"));
  }
  const Ran numbers = eval({masks, "--data", path("sets"), "--task", "tensor"});
  ASSERT_EQ(numbers.exit, 0) << numbers.err;
  EXPECT_DOUBLE_EQ(numbers.report["models"][0]["against_labels"]["mae"]["value"], 0.5);
}

/// Whether values are logits hangs on the model, not on a sample; --threshold says it otherwise.
TEST_F(Eval, EventsHaveOneThreshold) {
  const auto scaled = [this](const std::string& name, const std::string& by) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,2] x) => (float[1,2] y)
        <float[2,2] w = {)" +
                           by + ", 0, 0, " + by + "}> { y = MatMul(x, w) }");
  };
  const std::string whole = scaled("whole.onnx", "1"), half = scaled("half.onnx", "0.5");
  write_npz(path("frames.npz"), {{"x", Tensor::of<float>({2, 2}, {0.625F, 0.75F, 4, -3})}});
  for (const auto& [threshold, agreement] : {std::pair("", 1.0), std::pair("0", 1.0), std::pair("0.5", 0.5)}) {
    std::vector<std::string> words{whole, half, "--data", path("frames.npz"), "--task", "events"};
    if (*threshold != 0) words.insert(words.end(), {"--threshold", threshold});
    const Ran ran = eval(words);
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_DOUBLE_EQ(ran.report["models"][1]["against_first"]["frame_agreement"]["value"], agreement) << threshold;
    fs::remove_all(path("run"));
  }
  ASSERT_TRUE(write_file_atomic(folder_.path() / "culprit.yaml", "task: events\n"));
  const Ran named = eval({whole, half, "--data", path("frames.npz"), "--threshold", "0.5"});
  ASSERT_EQ(named.exit, 0) << named.err;
  EXPECT_EQ(named.report["task"]["name"], "events");
}

/// An array y beside the rows: masks, numbers, and sets of classes.
TEST_F(Eval, AnArrayBesideTheRowsIsWhatIsRight) {
  const auto value = [](const Ran& ran, const char* metric) {
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.report["models"][0]["against_labels"][metric]["value"].get<double>();
  };
  const std::string masks = model("masks.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[1,2,2] x) => (int64[1,2,2] y) { y = Identity(x) })");
  const auto pixels = [](const std::vector<std::int64_t>& numbers) {
    return Tensor::of<std::int64_t>({2, 2, 2}, numbers);
  };
  write_npz(path("masks.npz"), {{"x", pixels({0, 0, 1, 1, 0, 0, 1, 1})}, {"y", pixels({0, 2, 1, 1, 0, 0, 1, 0})}});
  const Ran of_masks = eval({masks, "--data", path("masks.npz"), "--task", "segmentation"});
  EXPECT_DOUBLE_EQ(value(of_masks, "pixel_accuracy"), 0.75);
  const json& by_class = of_masks.report["models"][0]["by_class"];
  EXPECT_EQ(by_class["against_labels"][1], json({{"class", "1"}, {"there", 3}, {"metrics", {{"iou", 0.75}}}}));
  EXPECT_TRUE(by_class["against_first"].empty()) << "it is the first";
  EXPECT_THAT(of_masks.out, ::testing::HasSubstr("worst classes (iou): 2 0.0000, 0 0.6000, 1 0.7500"));
  EXPECT_THAT(of_masks.out, ::testing::HasSubstr("what is right from the array 'y' int64[2,2,2]"));
  fs::remove_all(path("run"));

  const std::string sums = model("sums.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,2] x) => (float[1,1] y) { y = ReduceSum(x) })");
  write_npz(path("numbers.npz"), {{"x", Tensor::of<float>({4, 2}, {1, 1, 2, 2, 3, 3, 4, 4})},
                                  {"y", Tensor::of<double>({4}, {2.5, 4, 5.5, 8})}});
  const Ran of_numbers = eval({sums, "--data", path("numbers.npz")});
  EXPECT_DOUBLE_EQ(value(of_numbers, "mae"), 0.25);
  EXPECT_DOUBLE_EQ(value(of_numbers, "rmse"), std::sqrt(0.125));
  fs::remove_all(path("run"));

  const std::string chances = model("chances.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,3] x) => (float[1,3] y) { y = Identity(x) })");
  write_npz(path("sets.npz"), {{"x", Tensor::of<float>({2, 3}, {0.9F, 0.8F, 0.1F, 0.2F, 0.9F, 0.7F})},
                               {"y", Tensor::of<std::int64_t>({2, 3}, {1, 1, 0, 0, 1, 0})}});
  const Ran of_sets = eval({chances, "--data", path("sets.npz")});
  EXPECT_EQ(of_sets.report["task"]["name"], "multi_label") << of_sets.out;
  EXPECT_DOUBLE_EQ(value(of_sets, "exact_match"), 0.5);
  EXPECT_DOUBLE_EQ(value(of_sets, "f1_micro"), 6.0 / 7);
}

/// Every decision, told: each line, the classes, and what is refused.
TEST_F(Eval, DecisionsAreWrittenSampleBySample) {
  const std::string first = model("first.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[3] x) => (float[3] prob) { prob = Identity(x) })");
  const std::string second = model("second.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[3] x) => (float[3] prob) <float[3] bias = {0.5, 0, 0}> { prob = Add(x, bias) })");
  // Scores of three samples, the class of each, and one that a third class is right of.
  write_npz(path("rows.npz"), {{"x", Tensor::of<float>({3, 3}, {0, 1, 0, 0.25, 0, 0.5, 1, 0, 0})},
                               {"y", Tensor::of<std::int64_t>({3}, {1, 2, 2})}});
  const Ran ran =
      eval({first, second, "--data", path("rows.npz"), "--task", "classification", "--decisions", path("told.csv")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(*read_file(path("told.csv")),
            "sample,truth,M1,M1_score,M1_right,M2,M2_score,M2_right,M2_changed\n"
            "rows.npz #0,1,1,1,yes,1,1,yes,no\n"
            "rows.npz #1,2,2,0.5,yes,0,0.75,no,yes\n"
            "rows.npz #2,2,0,1,no,0,1.5,no,no\n");
  const json& model_2 = ran.report["models"][1];
  EXPECT_EQ(model_2["classes"][0], json({{"class", "0"},
                                         {"decided", 2},
                                         {"labelled", 0},
                                         {"right", 0},
                                         {"precision", 0.0},
                                         {"recall", nullptr},
                                         {"f1", nullptr}}));
  EXPECT_EQ(model_2["confused"], json::array({{{"truth", "2"}, {"decided", "0"}, {"samples", 2}}}));
  EXPECT_THAT(ran.out, ::testing::HasSubstr("taken for another: 2 as 0 (2)"));

  fs::remove_all(path("run"));
  ASSERT_EQ(eval({first, "--data", path("rows.npz"), "--decisions", path("told.jsonl")}).exit, 0);
  const std::string lines = *read_file(path("told.jsonl"));
  const json line = json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(line["models"][0]["best"][0], json({{"label", "1"}, {"score", 1.0}}));
  EXPECT_EQ(line["models"][0]["right"], true);

  fs::remove_all(path("run"));
  ASSERT_TRUE(write_file_atomic(path("mine.csv"), "my own notes"));
  for (const std::string& file : {path("mine.csv"), path("told.txt"), path("rows.npz"), path("no-folder/told.csv")}) {
    const Ran refused = eval({first, "--data", path("rows.npz"), "--decisions", file});
    EXPECT_EQ(refused.exit, 2) << file;
    EXPECT_THAT(refused.err, ::testing::HasSubstr(file)) << refused.err;
  }
  EXPECT_EQ(*read_file(path("mine.csv")), "my own notes");
}

TEST_F(Eval, DecisionsThatAreThereStayWhereNothingIsJudged) {
  const std::string one = model("one.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[3] x) => (float[3] prob) { prob = Identity(x) })");
  write_npz(path("rows.npz"), {{"x", Tensor::of<float>({2, 3}, {0, 1, 0, 0.25, 0, 0.5})}});
  ASSERT_EQ(eval({one, "--data", path("rows.npz"), "--decisions", path("told.csv")}).exit, 0);
  const std::string told = *read_file(path("told.csv"));
  fs::remove_all(path("run"));
  for (const std::string& file : {path("told.csv"), path("other.csv")}) {
    const Ran wrong = eval({one, "--data", path("rows.npz"), "--task", "segmentation", "--decisions", file});
    EXPECT_EQ(wrong.exit, 3) << wrong.out << wrong.err;
    fs::remove_all(path("run"));
  }
  EXPECT_EQ(*read_file(path("told.csv")), told);
  EXPECT_FALSE(fs::exists(path("other.csv")));
}

}  // namespace
}  // namespace culprit::testing
