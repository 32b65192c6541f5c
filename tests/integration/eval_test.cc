// `culprit eval`: what models decide on data sets of several kinds.
#include <cmath>

#include "eval_folder.h"
#include "picture/encode_picture.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(Eval, AnExactCopyAgreesInEverything) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const std::string two = model("two.onnx", classifier("Neg(a)"));
  const Ran same = eval({one, one, "--samples", "300"});
  ASSERT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.report["task"]["name"], "classification");
  EXPECT_EQ(same.report["models"][1]["changed"], 0);
  for (const auto& [name, metric] : same.report["models"][1]["against_first"].items())
    EXPECT_EQ(metric["value"], 1) << name;
  const Ran other = eval({one, two, "--samples", "300"});
  ASSERT_EQ(other.exit, 0) << other.err;
  EXPECT_EQ(other.report["models"][1]["changed"], 300) << "the largest became the smallest";
  EXPECT_EQ(other.report["models"][1]["samples"], 300);
}

TEST_F(Eval, OutputsGoByTheirNames) {
  const auto two_outputs = [](const std::string& outputs) {
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,5] x) => ()" + outputs +
           R"() { y = Neg(x) z = Exp(x) })";
  };
  const std::string one = model("one.onnx", two_outputs("float[1,5] y, float[1,5] z"));
  const std::string two = model("two.onnx", two_outputs("float[1,5] z, float[1,5] y"));
  const Ran ran = eval({one, two, "--samples", "40", "--task", "tensor"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][1]["against_first"]["identical"]["value"], 1) << ran.out;
}

/// Beside the first model lie three samples, beside the second none: made-up ones would be others, and more.
TEST_F(Eval, WithoutDataAllModelsGetTheSamplesOfTheFirst) {
  fs::create_directories(folder_.path() / "other");
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const std::string two = model("other/two.onnx", classifier("Identity(a)"));
  for (int set = 0; set < 3; ++set) {
    const fs::path folder = folder_.path() / ("test_data_set_" + std::to_string(set));
    fs::create_directories(folder);
    onnx::TensorProto x;
    x.set_name("x");
    x.set_data_type(onnx::TensorProto::FLOAT);
    for (const int size : {1, 4}) x.add_dims(size);
    for (int i = 0; i < 4; ++i) x.add_float_data(static_cast<float>(i == set));
    ASSERT_TRUE(write_file_atomic(folder / "input_0.pb", x.SerializeAsString()));
  }
  for (const char* samples : {"3", "40"}) {
    const Ran ran = eval({one, two, "--samples", samples});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.report["models"][1]["samples"], 3);
    EXPECT_EQ(ran.report["models"][1]["changed"], 0) << "it is the same model\n" << ran.out;
    EXPECT_THAT(ran.out, HasSubstr("test data beside the model"));
    EXPECT_THAT(ran.out, HasSubstr("all models get what the first one gets"));
  }
}

TEST_F(Eval, OfSetsInFoldersABadOneCostsThatSample) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  for (int set = 0; set < 30; ++set) {
    onnx::TensorProto x;
    x.set_name("x");
    x.set_data_type(onnx::TensorProto::FLOAT);
    for (const int size : {1, 4}) x.add_dims(size);
    for (int i = 0; i < 4; ++i) x.add_float_data(static_cast<float>((i * 7 + set * 3) % 11));
    const fs::path folder = folder_.path() / "sets" / ("test_data_set_" + std::to_string(set));
    fs::create_directories(folder);
    const std::string bytes = set == 17 ? "no tensor" : x.SerializeAsString();
    ASSERT_TRUE(write_file_atomic(folder / "input_0.pb", bytes));
  }
  const Ran ran = eval({one, one, "--data", path("sets")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][1]["samples"], 29);
  EXPECT_EQ(ran.report["models"][1]["changed"], 0);
  EXPECT_EQ(ran.report["data"]["skipped"][0]["sample"], "test_data_set_17");
}

TEST_F(Eval, MadeUpSamplesHaveSizesThatFitAllModels) {
  const auto with_rows = [](const std::string& rows) {
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[)" + rows +
           R"(,4] x) => (float[N,4] y) { y = Softmax<axis = -1>(x) })";
  };
  const std::string open = model("open.onnx", with_rows("N")), fixed = model("fixed.onnx", with_rows("5"));
  const Ran ran = eval({open, fixed, "--samples", "6"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][1]["failures"], 0) << ran.out;
  EXPECT_EQ(ran.report["models"][1]["against_first"]["top1_agreement"]["value"], 1) << ran.out;
}

/// Rows whose first number is above 1 give the second model's scores twice.
TEST_F(Eval, ASampleWithOtherRowsIsOneThatDoesNotAgree) {
  const auto with_repeats = [](const std::string& repeats) {
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,4] x) => (float[R,4] y)
      <int64[1] zero = {0}, int64[1] end = {1}, int64[1] axis = {1}, int64[1] none = {1}, float one = {1}> {
        p = Softmax<axis = -1>(x) f = Slice(x, zero, end, axis) g1 = Greater(f, one) g2 = Cast<to = 7>(g1)
        g3 = Reshape(g2, none) g4 = Add(g3, none) r = Concat<axis = 0>()" +
           repeats + R"(, none) y = Tile(p, r) })";
  };
  const std::string one = model("one.onnx", with_repeats("none")), two = model("two.onnx", with_repeats("g4"));
  std::vector<float> x;
  for (int row = 0; row < 40; ++row) x.insert(x.end(), {row % 10 == 3 ? 2.0F : 0.5F, 1, 3, 0});
  ASSERT_TRUE(write_npy(path("x.npy"), Tensor::of<float>({40, 4}, x)));
  const Ran ran = eval({one, two, "--data", path("x.npy")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  const json& other = ran.report["models"][1];
  EXPECT_EQ(other["samples"], 36);
  EXPECT_EQ(other["failures"], 4);
  EXPECT_EQ(other["changed"], 0);
  EXPECT_EQ(other["failed"][0]["sample"], "x.npy #3");
  EXPECT_THAT(other["failed"][0]["reason"].get<std::string>(), HasSubstr("scores of another size"));
  EXPECT_EQ(ran.report["models"][0]["failures"], 0);
  EXPECT_THAT(ran.out, HasSubstr("says nothing on 4 more"));

  const Ran sure = eval({one, two, "--data", path("x.npy"), "--stop-when-sure", "99.9,10"});
  ASSERT_EQ(sure.exit, 0) << sure.err;
  EXPECT_EQ(sure.report["models"][1]["sure"]["answer"], "fails") << "4 of 40 do not agree\n" << sure.out;

  const Ran back = eval({two, one, "--data", path("x.npy")});
  EXPECT_EQ(back.report["models"][1]["failures"], 4) << back.out;
}

TEST_F(Eval, ChunksMakeNoDifference) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const std::string two = model("two.onnx", classifier("Round(a)"));
  const auto metrics = [&](const std::string& jobs) {
    const Ran ran = eval({one, two, "--samples", "1300", "--jobs", jobs});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran.report["models"][1]["against_first"].dump() + ran.report["models"][1]["worst"].dump();
  };
  EXPECT_EQ(metrics("1"), metrics("3"));
}

TEST_F(Eval, MadeUpSamplesAreSuchAsTheModelTakes) {
  const std::string one = model("one.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[N,4] x) => (float[1,4] y) <int64[2] shape = {1, 4}> { a = Reshape(x, shape) y = Neg(a) })");
  for (const std::vector<std::string>& models : {std::vector{one}, std::vector{one, one}}) {
    std::vector<std::string> words = models;
    words.insert(words.end(), {"--samples", "6"});
    const Ran ran = eval(words);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.report["models"][0]["failures"], 0) << "every second sample has another N only where that runs";
    EXPECT_EQ(ran.report["models"][0]["samples"], 6);
  }
}

TEST_F(Eval, StopsWhenItIsSure) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const Ran same = eval({one, one, "--samples", "20000", "--stop-when-sure", "99.9,0.1"});
  ASSERT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.report["models"][1]["sure"]["answer"], "holds");
  EXPECT_EQ(same.report["models"][1]["sure"]["samples"], 2940);
  EXPECT_LT(same.report["data"]["samples"], 5000) << "no more than the chunks under way";
  const std::string two = model("two.onnx", classifier("Neg(a)"));
  const Ran other = eval({one, two, "--samples", "20000", "--stop-when-sure", "99.9,0.1"});
  EXPECT_EQ(other.report["models"][1]["sure"]["answer"], "fails");
  EXPECT_LT(other.report["models"][1]["sure"]["samples"], 20);
  const Ran alone = eval({one, "--stop-when-sure", "99.9,0.1"});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_THAT(eval({one, one, "--stop-when-sure", "99.9"}).err, HasSubstr("not P,DELTA in percent"));
}

TEST_F(Eval, RowsOfArraysHaveLabels) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  constexpr std::int64_t rows = 50;
  Random random(3);
  std::vector<float> x(rows * 4);
  for (float& value : x) value = static_cast<float>(random.normal());
  ASSERT_TRUE(write_npy(path("x.npy"), Tensor::of<float>({rows, 4}, x)));
  const Ran unlabelled = eval({one, "--data", path("x.npy")});
  ASSERT_EQ(unlabelled.exit, 0) << unlabelled.err;
  EXPECT_EQ(unlabelled.report["data"]["samples"], rows);
  EXPECT_TRUE(unlabelled.report["models"][0]["against_labels"].is_null());
  EXPECT_THAT(unlabelled.out, HasSubstr("nothing is measured: the samples have no labels"));
  EXPECT_THAT(unlabelled.out, HasSubstr("an array 'y'"));
  ASSERT_TRUE(write_npy(path("wrong.npy"), Tensor::of<float>({rows, 3}, std::vector<float>(rows * 3))));
  const Ran wrong = eval({one, "--data", path("wrong.npy")});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_THAT(wrong.err, HasSubstr("one row of 'x', float32[50,3], is [3], and one.onnx takes x: float32[1,4]"));
}

constexpr const char* of_pictures = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,3,8,8] data) => (float[1,3] y) { m = GlobalAveragePool(data) f = Flatten(m) y = Softmax<axis = -1>(f) })";

TEST_F(Eval, PicturesInFoldersAreLabelledAndBadOnesAreSkipped) {
  const std::string one = model("one.onnx", of_pictures);
  const std::vector<Colour> colours = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    const fs::path folder = folder_.path() / "pictures" / std::to_string(kind);
    fs::create_directories(folder);
    for (int i = 0; i < 4; ++i)
      ASSERT_TRUE(write_png(folder / (std::to_string(i) + ".png"), Picture(8 + i, 8, colours[kind])));
  }
  ASSERT_TRUE(write_file_atomic(folder_.path() / "pictures" / "0" / "bad.jpg", "this is no image"));
  ASSERT_TRUE(write_file_atomic(folder_.path() / "pictures" / "notes.txt", "hello"));
  ASSERT_TRUE(write_file_atomic(folder_.path() / "culprit.yaml", "preprocess:\n  scale: 1/255\n"));
  const Ran ran = eval({one, "--data", path("pictures"), "--task", "classification"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["data"]["samples"], 12);
  EXPECT_EQ(ran.report["data"]["unreadable"], 1);
  EXPECT_EQ(ran.report["data"]["skipped"][0]["sample"], "0/bad.jpg");
  EXPECT_EQ(ran.report["models"][0]["against_labels"]["top1"]["value"], 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("as culprit.yaml beside the model says"));
  EXPECT_THAT(ran.out, HasSubstr("1 other file"));
}

TEST_F(Eval, AMessyFolder) {
  const std::string one = model("one.onnx", of_pictures);
  const fs::path golden = fs::path(CULPRIT_SOURCE) / "tests/golden/pictures/in", folder = folder_.path() / "mess";
  fs::create_directories(folder);
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(write_png(folder / ("good-" + std::to_string(i) + ".png"), Picture(20 + i, 16, {200, 100, 0})));
  const std::string jpeg = read_file(golden / "420.jpg").value();
  ASSERT_TRUE(write_file_atomic(folder / "truncated.jpg", jpeg.substr(0, jpeg.size() / 2)));
  ASSERT_TRUE(write_file_atomic(folder / "notes.txt", "hello"));
  ASSERT_TRUE(write_file_atomic(folder / "labels.csv", "good-0.png,2\ngood-1.png,0\n"));
  ASSERT_TRUE(write_png(folder / "dot.png", Picture(1, 1, {9, 9, 9})));
  std::string huge = encode_png(Picture(8, 8)).value();
  // IHDR: width and height are the bytes 16 to 23, then five others and the checksum.
  huge.replace(16, 17, std::string("\0\0\x4e\x20\0\0\x4e\x20\x08\x02\0\0\0\x6c\x12\xd1\x6e", 17));
  ASSERT_TRUE(write_file_atomic(folder / "huge.png", huge));
  const Ran ran = eval({one, one, "--data", folder, "--preprocess", "raw"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["data"]["samples"], 11) << "the dot is an image";
  EXPECT_EQ(ran.report["data"]["unreadable"], 2);
  EXPECT_THAT(ran.out, HasSubstr("truncated.jpg"));
  EXPECT_THAT(ran.out, HasSubstr("20000 x 20000"));
  EXPECT_THAT(ran.out, HasSubstr("1 other file"));
  EXPECT_EQ(ran.report["data"]["about"][2], "labels from labels.csv: 2 classes on 2 of 13 images");
  const Ran shown = culprit({"data", "show", one, "--data", folder, "--preprocess", "raw", "--samples", "20"});
  EXPECT_THAT(shown.out, HasSubstr("huge.png  is passed over: "));
  EXPECT_THAT(culprit({"data", "show", one, "--data", folder, "--preprocess", "raw"}).out,
              HasSubstr("  and 1 more: --samples 13 tells of all"));
  const Ran checked = culprit_check({one, "--data", folder, "--preprocess", "raw", "--samples", "13"});
  EXPECT_EQ(checked.exit, 0) << checked.out;
  EXPECT_EQ(checked.report["models"][0]["data"]["samples"], 11);
  EXPECT_THAT(checked.report["models"][0]["warnings"].dump(),
              HasSubstr("2 images are passed over: huge.png, truncated.jpg; the first: cannot read"));
  EXPECT_EQ(culprit_check({one, "--data", folder, "--preprocess", "raw"}).report["models"][0]["data"]["samples"], 10);
}

TEST_F(Eval, LabelsOfPicturesAreAmongTheClassesBesideTheModel) {
  const std::string net = model("net.onnx", of_pictures);
  fs::create_directories(path("pics"));
  for (int i = 0; i < 3; ++i) {
    const auto grey = static_cast<std::uint8_t>(80 * i + 10);
    ASSERT_TRUE(write_png(path("pics/" + std::to_string(i) + ".png"), Picture(8, 8, {grey, grey, grey})));
  }
  ASSERT_TRUE(write_file_atomic(path("culprit.yaml"), "preprocess: raw\nclasses: [j, i]\n"));
  ASSERT_TRUE(write_file_atomic(path("l.csv"), "0.png,i\n1.png,j\n2.png,a\n"));
  const Ran refused = eval({net, "--data", path("pics"), "--labels", path("l.csv")});
  EXPECT_EQ(refused.exit, 3) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("line 3: the label 'a' is not in `classes` in culprit.yaml"));
  ASSERT_TRUE(write_file_atomic(path("l.csv"), "0.png,i\n1.png,j\n2.png,-1\n"));
  const Ran ran = eval({net, "--data", path("pics"), "--labels", path("l.csv")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["models"][0]["labelled"], 2);
  EXPECT_THAT(ran.out, HasSubstr("1 image has the label -1"));
}

TEST_F(Eval, DataShowTellsHowAModelIsFed) {
  const std::string one = model("one.onnx", of_pictures);
  fs::create_directories(path("pictures/annotations"));
  ASSERT_TRUE(write_png(path("pictures/a.png"), Picture(16, 8, {255, 128, 0})));
  ASSERT_TRUE(write_png(path("pictures/b.png"), Picture(8, 8, {0, 0, 255})));
  ASSERT_TRUE(write_file_atomic(path("pictures/c.jpg"), "no"));
  ASSERT_TRUE(write_file_atomic(path("pictures/annotations/instances.json"), R"({
    "images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [2, 2, 8, 4]}],
    "categories": [{"id": 5, "name": "thing"}]})"));
  const Ran ran =
      culprit({"data", "show", one, "--data", path("pictures"), "--preprocess", "raw", "-o", path("s.png")});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("boxes from instances.json: 1 category on 2 of 3 images"));
  EXPECT_THAT(ran.out, HasSubstr("a.png  1 box\n"));
  EXPECT_THAT(ran.out, HasSubstr("data float32[1,3,8,8], 0 to 255, mean 127.7"));
  EXPECT_THAT(ran.out, HasSubstr("c.jpg  is passed over: "));
  EXPECT_TRUE(fs::exists(path("s.png")));
  const Ran no_picture = culprit({"data", "show", one, "--data", path("pictures"), "--preprocess", "raw", "-o", one});
  EXPECT_EQ(no_picture.exit, 2);
  EXPECT_THAT(no_picture.err, HasSubstr("must end with .png"));
}

TEST_F(Eval, CheckTakesPicturesToo) {
  const std::string one = model("one.onnx", of_pictures);
  const auto check = [&](std::vector<std::string> words) {
    words.insert(words.begin(), one);
    return culprit_check(words);
  };
  fs::create_directories(path("pictures"));
  for (int i = 0; i < 25; ++i)
    ASSERT_TRUE(write_png(folder_.path() / "pictures" / (std::to_string(i) + ".png"),
                          Picture(9, 8, {static_cast<std::uint8_t>(10 * i), 50, static_cast<std::uint8_t>(i)})));
  ASSERT_TRUE(write_file_atomic(path("pictures/00.jpg"), "this is no image"));
  const Ran ran = check({"--data", path("pictures"), "--preprocess", "raw"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][0]["data"]["source"], "pictures");
  EXPECT_EQ(ran.report["models"][0]["data"]["samples"], 10);
  EXPECT_EQ(check({"--data", path("pictures"), "--samples", "4", "--preprocess", "raw"}).exit, 0);
  const Ran without = check({"--preprocess", "raw"});
  EXPECT_EQ(without.exit, 2);
  EXPECT_THAT(without.err, HasSubstr("--preprocess is for images and sounds, and there is no --data"));
  const Ran unknown = check({"--data", path("pictures"), "--preprocess", "torchvison"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_THAT(unknown.err, HasSubstr("torchvision"));
}

TEST_F(Eval, WhatCannotBeDoneIsSaid) {
  const std::string one = model("one.onnx", classifier("Identity(a)"));
  const auto complaint = [&](std::vector<std::string> words, int exit) {
    const Ran ran = eval(std::move(words));
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    return ran.err;
  };
  EXPECT_THAT(complaint({one, "--data", path("nowhere")}, 2), HasSubstr("there is no such file"));
  EXPECT_THAT(complaint({one, "--task", "classify"}, 2), HasSubstr("classification"));
  EXPECT_THAT(complaint({one, "--task", "detection"}, 3), HasSubstr("boxes"));
  EXPECT_THAT(complaint({one, "--samples", "0"}, 2), HasSubstr("--samples"));
  EXPECT_THAT(complaint({one, "--labels", "l.csv"}, 2), HasSubstr("l.csv: there is no such file"));
  ASSERT_TRUE(write_file_atomic(path("l.csv"), "a.png,1\n"));
  EXPECT_THAT(complaint({one, "--labels", path("l.csv")}, 2), HasSubstr("--labels is for images"));
  const std::string other = model("other.onnx", of_pictures);
  const Ran unfed = eval({one, other});
  EXPECT_EQ(unfed.exit, 3);
  EXPECT_THAT(unfed.out, HasSubstr("nothing can be said of it: it cannot be fed with the samples of M1"));
  fs::create_directories(path("bad"));
  ASSERT_TRUE(write_file_atomic(path("bad/a.png"), "no"));
  EXPECT_THAT(complaint({other, "--data", path("bad"), "--preprocess", "raw"}, 3),
              HasSubstr("none of the 1 samples can be read"));
}

}  // namespace
}  // namespace culprit::testing
