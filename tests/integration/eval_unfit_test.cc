// Models of an eval that cannot be held against the first one, those that find nothing, and how copies are fed.
#include "eval_folder.h"
#include "picture/encode_picture.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* missing_op = R"(<ir_version: 8, opset_import: ["" : 17, "no.such" : 1]>
  g (float[1,4] x) => (float[1,10] y) { y = no.such.Thing(x) })";
constexpr const char* few_classes = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4] x) => (float[1,4] y) { y = Softmax<axis = -1>(x) })";
class EvalUnfit : public Eval {
 protected:
  std::string rows(std::int64_t count) {
    std::vector<float> x;
    Random random(3);
    for (std::int64_t i = 0; i < 4 * count; ++i) x.push_back(static_cast<float>(random.normal()));
    EXPECT_TRUE(write_npy(path("x.npy"), Tensor::of<float>({count, 4}, x)));
    return path("x.npy");
  }
};

TEST_F(EvalUnfit, AModelThatDoesNotLoadHasNoFiguresAndTheOthersGoOn) {
  const std::string one = model("one.onnx", classifier("Identity(a)")), bad = model("bad.onnx", missing_op);
  const std::string copy = model("copy.onnx", classifier("Identity(a)")), few = model("few.onnx", few_classes);
  const Ran ran = eval({one, bad, copy, few, "--data", rows(2000)});
  EXPECT_EQ(ran.exit, 3) << "nothing can be said of some of them";
  const json& models = ran.report["models"];
  EXPECT_THAT(models[1]["unfit"].get<std::string>(), HasSubstr("it cannot be loaded"));
  EXPECT_TRUE(models[1]["against_first"].is_null());
  EXPECT_TRUE(models[1]["failed"].empty()) << "told once";
  EXPECT_EQ(models[1]["failures"], 2000);
  EXPECT_EQ(models[2]["samples"], 2000);
  EXPECT_EQ(models[2]["changed"], 0);
  EXPECT_TRUE(models[2]["unfit"].is_null());
  EXPECT_THAT(models[3]["unfit"].get<std::string>(), HasSubstr("of M1 cannot stand for"));
  EXPECT_THAT(models[3]["unfit"].get<std::string>(), HasSubstr("of M4"));
  EXPECT_THAT(ran.out, HasSubstr("nothing can be said of it: it cannot be loaded"));
}

TEST_F(EvalUnfit, AModelThatFailsOnAllSamplesIsNoAnswer) {
  constexpr const char* open_classes = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,4] x) => (float[1,N] y) { y = Softmax<axis = -1>(x) })";
  const std::string one = model("one.onnx", classifier("Identity(a)")), few = model("few.onnx", open_classes);
  const Ran ran = eval({one, few, "--data", rows(20), "--task", "classification"});
  EXPECT_EQ(ran.report["models"][1]["failures"], 20) << ran.out << ran.err;
  EXPECT_TRUE(ran.report["models"][1]["unfit"].is_null());
  EXPECT_EQ(ran.exit, 3);
}

TEST_F(EvalUnfit, WhereOnlyTheFirstIsLeftNotAllSamplesRun) {
  const std::string one = model("one.onnx", classifier("Identity(a)")), bad = model("bad.onnx", missing_op);
  const Ran ran = eval({one, bad, "--data", rows(3000)});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_LE(ran.report["models"][0]["samples"], 1024) << ran.out;
}

TEST_F(EvalUnfit, PlainNumbersMakeNoDecisions) {
  const std::string one = model("one.onnx", classifier("Identity(a)")), two = model("two.onnx", classifier("Neg(a)"));
  const Ran ran = eval({one, two, "--data", rows(20), "--task", "tensor"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, Not(HasSubstr("other predictions")));
  EXPECT_THAT(ran.out, HasSubstr("relative_error"));
  EXPECT_TRUE(ran.report["models"][1]["changed"].is_null());
  const Ran sure = eval({one, two, "--data", rows(20), "--task", "tensor", "--stop-when-sure", "99,1"});
  EXPECT_EQ(sure.exit, 2);
  EXPECT_THAT(sure.err, HasSubstr("tensor knows none"));
}

TEST_F(EvalUnfit, NanInBothIsWarnedOf) {
  const std::string one = model("one.onnx", classifier("Sqrt(a)")), two = model("two.onnx", classifier("Sqrt(a)"));
  const Ran ran = eval({one, two, "--data", rows(20), "--task", "classification"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][1]["undecided"], 20) << "a root of something below 0 in every row";
  EXPECT_EQ(ran.report["warnings"][0]["code"], "undecided");
  EXPECT_THAT(ran.out, HasSubstr("M1 and M2 both give NaN"));
}

/// A copy that lies in another folder has no culprit.yaml; it is fed as the first one is.
TEST_F(EvalUnfit, ACopyWithoutAYamlIsFedAsTheFirstModelIs) {
  constexpr const char* net = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,8,8] x) => (float[1,3] y) {
    a = GlobalAveragePool(x) y = Flatten<axis = 1>(a) })";
  const fs::path a = folder_.path() / "a", b = folder_.path() / "b";
  for (const fs::path& folder : {a, b, folder_.path() / "pictures"}) fs::create_directories(folder);
  const std::string one = model("a/m.onnx", net), two = model("b/m.onnx", net);
  ASSERT_TRUE(write_file_atomic(a / "culprit.yaml", "preprocess: {scale: 1/255, mean: [0.9, 0.5, 0.1]}\n"));
  for (int i = 0; i < 6; ++i)
    ASSERT_TRUE(
        write_png(folder_.path() / "pictures" / (std::to_string(i) + ".png"),
                  Picture(9, 9, {static_cast<std::uint8_t>(40 * i), 100, static_cast<std::uint8_t>(255 - 40 * i)})));
  const auto words = [&](const Ran& ran) { return ran.report["data"]["about"].dump(); };
  const Ran ran = eval({one, two, "--data", path("pictures"), "--task", "tensor"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][1]["against_first"]["identical"]["value"], 1) << ran.out;
  EXPECT_THAT(words(ran), Not(HasSubstr("fed otherwise")));

  ASSERT_TRUE(write_file_atomic(b / "culprit.yaml", "preprocess: {scale: 1/255}\n"));
  const Ran other = eval({one, two, "--data", path("pictures"), "--task", "tensor"});
  EXPECT_LT(other.report["models"][1]["against_first"]["identical"]["value"], 1);
  EXPECT_THAT(words(other), HasSubstr("M2 is fed otherwise than M1"));
  EXPECT_THAT(words(other), HasSubstr("as culprit.yaml beside the model says"));
}

/// The same preparation, in the size of each: the crop of 87.5 % is one of the larger input, too.
TEST_F(EvalUnfit, ALargerCopyIsFedInItsOwnSize) {
  const auto net = [](int side) {
    const std::string sides = std::to_string(side) + "," + std::to_string(side);
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,3,)" + sides + R"(] x) => (float[1,3] y) {
      a = GlobalAveragePool(x) y = Flatten<axis = 1>(a) })";
  };
  const std::string one = model("one.onnx", net(224)), two = model("two.onnx", net(299));
  fs::create_directories(path("pictures"));
  ASSERT_TRUE(write_png(folder_.path() / "pictures" / "a.png", Picture(300, 300, {10, 200, 60})));
  const Ran ran = eval({one, two, "--data", path("pictures"), "--task", "embedding"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.report["data"]["about"].dump(), Not(HasSubstr("fed otherwise"))) << ran.out;
  EXPECT_EQ(ran.report["models"][1]["changed"], 0) << ran.out;
}

TEST_F(EvalUnfit, WithoutABoxThereAreNoPerfectFigures) {
  constexpr const char* rows_of_none = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,3,8,8] x) => (float[1,4,4] boxes, float[1,4,2] scores) {
 zero = Constant<value_floats = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]>()
      of_boxes = Constant<value_ints = [1, 4, 4]>() boxes = Reshape(zero, of_boxes)
      some = Constant<value_floats = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]>()
      of_scores = Constant<value_ints = [1, 4, 2]>() scores = Reshape(some, of_scores) })";
  const std::string one = model("one.onnx", rows_of_none), two = model("two.onnx", rows_of_none);
  fs::create_directories(path("pictures"));
  ASSERT_TRUE(write_png(folder_.path() / "pictures" / "a.png", Picture(8, 8, {10, 200, 60})));
  const Ran ran = eval({one, two, "--data", path("pictures"), "--preprocess", "raw"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "detection");
  EXPECT_EQ(ran.report["warnings"][0]["code"], "no_boxes") << ran.out;
  EXPECT_TRUE(ran.report["models"][1]["against_first"].empty());
  EXPECT_THAT(ran.out, HasSubstr("neither M1 nor M2 finds a box on any of 1 sample"));
}

}  // namespace
}  // namespace culprit::testing
