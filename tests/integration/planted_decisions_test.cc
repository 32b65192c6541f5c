// Faults planted in whole models, seen by `culprit eval`: the metric that is about a fault moves, and the others stay
// perfect. A copy of the file is perfect in all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <set>

#include "base/file.h"
#include "base/random.h"
#include "base/text.h"
#include "picture/encode_picture.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr int samples = 60;

std::string random_numbers(int count, std::uint64_t seed, double scale = 1) {
  Random random(seed);
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) texts.push_back(std::to_string(scale * random.normal()));
  return join(texts, ",");
}

std::string graph(const std::string& text) { return "<ir_version: 8, opset_import: [\"\" : 17]> g " + text; }

/// A model and what was planted in it.
struct Planted {
  std::string name, text;
};

class PlantedDecisions : public ::testing::Test {
 protected:
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }

  std::string write(const Planted& planted) {
    onnx::ModelProto model;
    const auto status = onnx::OnnxParser::Parse(model, planted.text.c_str());
    EXPECT_TRUE(status.IsOK()) << planted.name << ": " << status.ErrorMessage();
    EXPECT_TRUE(write_file_atomic(path(planted.name + ".onnx"), model.SerializeAsString()));
    return path(planted.name + ".onnx");
  }

  /// The first model is the reference; its copy is made here.
  void eval(const std::string& task, const std::vector<Planted>& models, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"eval", write(models.front())};
    words.push_back(write({"copy", models.front().text}));
    for (std::size_t i = 1; i < models.size(); ++i) words.push_back(write(models[i]));
    if (more.empty()) words.insert(words.end(), {"--samples", std::to_string(samples)});
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--run-dir", path("run")});
    ran_ = culprit(words);
    ASSERT_EQ(ran_.exit, 0) << ran_.out << ran_.err;
    report_ = json::parse(read_file(folder_.path() / "run" / "report.json").value());
    EXPECT_EQ(report_["task"]["name"], task) << report_["task"];
    names_ = {models.front().name, "copy"};
    for (std::size_t i = 1; i < models.size(); ++i) names_.push_back(models[i].name);
    EXPECT_EQ(report_["models"][0]["samples"], report_["models"][1]["samples"]);
    expect_moved("copy", {});
  }

  const json& model(const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name) - names_.begin();
    return report_["models"].at(static_cast<std::size_t>(at));
  }
  static double number(const json& value) {
    return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
  }
  double metric(const std::string& name, const std::string& metric) {
    return number(model(name)["against_first"].at(metric)["value"]);
  }
  /// These metrics are not perfect, and all others are.
  void expect_moved(const std::string& name, const std::set<std::string>& moved) {
    EXPECT_FALSE(model(name)["against_first"].empty());
    std::set<std::string> seen;
    for (const auto& [metric, value] : model(name)["against_first"].items()) {
      const double best = metric == "psnr"             ? std::numeric_limits<double>::infinity()
                          : metric == "relative_error" ? 0
                                                       : 1;
      if (number(value["value"]) != best) seen.insert(metric);
    }
    EXPECT_EQ(seen, moved) << name << ": " << model(name)["against_first"];
  }

  TemporaryFolder folder_ = scratch();
  Ran ran_;
  json report_;
  std::vector<std::string> names_;
};

/// Ten scores of x, and what becomes of them. The columns of the weight are classes.
std::string scores_classifier(const std::string& last, const std::string& weight) {
  return graph("(float[1,8] x) => (float[1,10] prob) <float[8,10] w = {" + weight + "}, int64[1] to = {3}, " +
               "int64[10] order = {0,1,2,7,4,5,6,3,8,9}> { a = MatMul(x, w) " + last + " }");
}

TEST_F(PlantedDecisions, OfAClassifier) {
  const std::string weight = random_numbers(80, 7, 0.3);
  const auto one = [&](const std::string& name, const std::string& last) {
    return Planted{name, scores_classifier(last, weight)};
  };
  eval("classification", {one("plain", "prob = Softmax(a)"),
                          // two classes changed places: all ten are still among the best ten
                          one("swapped", "b = Gather<axis = 1>(a, order) prob = Softmax(b)"),
                          // the first stays, and the others stand the other way round
                          one("seconds",
                              "p = Softmax(a) most = ReduceMax<axes = [1]>(p) is = Equal(p, most) half = "
                              "Constant<value_float = 0.5>() less = Sub(most, p) other = Mul(less, half) "
                              "prob = Where(is, p, other)"),
                          // surer of everything, in the same order
                          one("surer", "two = Constant<value_float = 2.0>() b = Mul(a, two) prob = Softmax(b)")});
  expect_moved("swapped", {"top1_agreement", "top5_agreement", "kendall_tau_top5", "rbo"});
  expect_moved("seconds", {"top5_agreement", "kendall_tau_top5", "rbo"});
  expect_moved("surer", {});
  const auto changed = model("swapped")["changed"].get<double>();
  EXPECT_GT(changed, 0);
  EXPECT_LT(changed, samples / 2) << "only labels 3 and 7";
  EXPECT_NEAR(metric("swapped", "top1_agreement"), 1 - changed / samples, 1e-12);
  for (const json& worst : model("swapped")["worst"]) {
    const std::set<std::string> labels{worst["reference"], worst["variant"]};
    EXPECT_TRUE(labels.count("label 3") + labels.count("label 7") > 0) << worst;
  }
  EXPECT_EQ(model("seconds")["changed"], 0);
  EXPECT_EQ(model("surer")["changed"], 0);
}

/// Six boxes of two classes, 20 by 20 and apart, that move and get their scores by x.
std::string detector(const std::string& last) {
  return graph(R"((float[1,24] x) => (float[6,4] boxes, float[6] scores, int64[6] labels)
    <float[6,4] base = {10,10,30,30, 60,10,80,30, 110,10,130,30, 10,60,30,80, 60,60,80,80, 110,60,130,80},
     int64[2] rows = {6,4}, int64[1] flat = {6}, float[24,6] w = {)" +
               random_numbers(144, 9, 0.2) + R"(}, float share = {0.3}, float low = {0.6}, float above = {1.5},
     int64[6] classes = {1,1,1,2,2,2}, int64[6] others = {1,1,1,2,2,3}, float[1,4] right = {2,0,2,0},
     float[1,4] far = {15,0,15,0}, float[6] less = {0,0,0,0,0,-0.5}>
    { d = Reshape(x, rows) t = Tanh(d) b = Add(base, t)
      m = MatMul(x, w) p = Sigmoid(m) q = Mul(p, share) r = Reshape(q, flat) s = Add(r, low) )" +
               last + " }");
}

TEST_F(PlantedDecisions, OfADetector) {
  const std::string boxes = "boxes = Identity(b) ", scores = "scores = Identity(s) ",
                    labels = "labels = Identity(classes)";
  eval("detection", {{"plain", detector(boxes + scores + labels)},
                     {"moved", detector("boxes = Add(b, right) " + scores + labels)},
                     {"far", detector("boxes = Add(b, far) " + scores + labels)},
                     {"permuted", detector(boxes + "scores = Sub(above, s) " + labels)},
                     {"renamed", detector(boxes + scores + "labels = Identity(others)")},
                     {"lost", detector(boxes + "scores = Add(s, less) " + labels)}});
  EXPECT_THAT(ran_.out, HasSubstr("detector 'lists'"));
  // by 2 of about 20 pixels: an overlap of 0.8
  expect_moved("moved", {"f1_iou90", "map_90", "map_50_95", "ar", "mean_best_iou"});
  EXPECT_EQ(metric("moved", "f1_iou90"), 0);
  EXPECT_NEAR(metric("moved", "mean_best_iou"), 0.82, 0.02);
  EXPECT_EQ(model("moved")["changed"], 0);
  expect_moved("permuted", {"score_rank_tau"});
  EXPECT_EQ(metric("permuted", "score_rank_tau"), -1);
  EXPECT_EQ(model("permuted")["changed"], 0);
  for (const char* name : {"far", "renamed", "lost"}) EXPECT_EQ(model(name)["changed"], samples) << name;
  EXPECT_EQ(metric("far", "f1_iou50"), 0);
  EXPECT_GT(metric("far", "mean_best_iou"), 0);
  expect_moved("renamed", {"precision_iou50", "recall_iou50", "f1_iou50", "f1_iou75", "f1_iou90", "map_50", "map_75",
                           "map_90", "map_50_95", "ar", "mean_best_iou"});
  EXPECT_NEAR(metric("renamed", "precision_iou50"), 5.0 / 6, 1e-12);
  EXPECT_NEAR(metric("lost", "recall_iou50"), 5.0 / 6, 1e-12);
  EXPECT_EQ(metric("lost", "precision_iou50"), 1);
  EXPECT_EQ(metric("lost", "score_rank_tau"), 1);
}

TEST_F(PlantedDecisions, OfMasks) {
  const auto mask = [](const std::string& name, const std::string& last) {
    return Planted{name,
                   graph("(float[1,5,6,8] x) => (float[1,5,6,8] seg) <int64[1] zero = {0}, int64[1] one = {1}, "
                         "int64[1] seven = {7}, int64[1] eight = {8}, int64[1] three = {3}, "
                         "int64[5] order = {0,1,2,4,3}, float two = {2.0}> { a = Relu(x) b = Sub(x, a) c = Add(a, b) " +
                         last + " }")};
  };
  eval("segmentation", {mask("plain", "seg = Identity(c)"),
                        mask("shifted",
                             "l = Slice(c, seven, eight, three) r = Slice(c, zero, seven, three) "
                             "seg = Concat<axis = 3>(l, r)"),
                        mask("swapped", "seg = Gather<axis = 1>(c, order)"), mask("surer", "seg = Mul(c, two)")});
  expect_moved("shifted", {"pixel_agreement", "miou"});
  expect_moved("swapped", {"pixel_agreement", "miou"});
  expect_moved("surer", {});
  EXPECT_EQ(model("surer")["changed"], 0);
  EXPECT_EQ(model("shifted")["changed"], samples);
  // Three of five classes keep all of their pixels, and two have none left but where both had the same score.
  EXPECT_NEAR(metric("swapped", "miou"), 3.0 / 5, 0.01);
  EXPECT_NEAR(metric("shifted", "pixel_agreement"), 0.2, 0.05);
}

/// Brighter by 10 levels, and by 10 more or less from pixel to pixel: as far for PSNR, and not for SSIM.
TEST_F(PlantedDecisions, OfPictures) {
  std::vector<std::string> signs;
  signs.reserve(256);
  for (int pixel = 0; pixel < 16 * 16; ++pixel) signs.push_back((pixel / 16 + pixel) % 2 == 0 ? "10" : "-10");
  const auto picture = [&](const std::string& name, const std::string& last) {
    return Planted{name,
                   graph("(float[1,3,16,16] x) => (float[1,3,16,16] y) <float most = {200.0}, float low = {20.0}, "
                         "float ten = {10.0}, float little = {0.75}, float[1,1,16,16] checks = {" +
                         join(signs, ",") + "}> { a = Sigmoid(x) b = Mul(a, most) c = Add(b, low) " + last + " }")};
  };
  eval("picture", {picture("plain", "y = Identity(c)"), picture("brighter", "y = Add(c, ten)"),
                   picture("checked", "y = Add(c, checks)"), picture("hardly", "y = Add(c, little)")});
  for (const char* name : {"brighter", "checked", "hardly"}) expect_moved(name, {"psnr", "ssim"});
  EXPECT_NEAR(metric("brighter", "psnr"), 20 * std::log10(25.5), 1e-4);
  EXPECT_NEAR(metric("checked", "psnr"), 20 * std::log10(25.5), 1e-4);
  EXPECT_LT(1 - metric("brighter", "ssim"), (1 - metric("checked", "ssim")) / 2);
  EXPECT_EQ(model("brighter")["changed"], samples);
  EXPECT_EQ(model("hardly")["changed"], 0) << "less than one of 255 levels";
}

TEST_F(PlantedDecisions, OfEmbeddings) {
  const auto vectors = [](const std::string& name, const std::string& last) {
    return Planted{name, graph("(float[1,16] x) => (float[1,16] embedding) <int64[16] pairs = "
                               "{1,0,3,2,5,4,7,6,9,8,11,10,13,12,15,14}, int64[16] cycle = "
                               "{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0}, float[1,16] signs = "
                               "{-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1}, float[1,16] fixed = {" +
                               random_numbers(16, 5, 200) + "}, float three = {3.0}> { " + last + " }")};
  };
  const std::string near = "c = Add(x, fixed) ";
  eval("embedding", {vectors("plain", near + "embedding = Identity(c)"),
                     // each pair of axes by a quarter: another direction, and the same neighbours
                     vectors("turned", near + "p = Gather<axis = 1>(c, pairs) embedding = Mul(p, signs)"),
                     vectors("longer", near + "embedding = Mul(c, three)"),
                     // what tells samples apart is mixed up, and all still point nearly the same way
                     vectors("mixed", "m = Gather<axis = 1>(x, cycle) embedding = Add(m, fixed)")});
  expect_moved("turned", {"cosine"});
  EXPECT_NEAR(metric("turned", "cosine"), 0, 1e-6);
  EXPECT_EQ(model("turned")["changed"], samples);
  EXPECT_EQ(metric("longer", "neighbours_5"), 1);
  EXPECT_NEAR(metric("longer", "cosine"), 1, 1e-12);
  EXPECT_GT(metric("mixed", "cosine"), 0.99);
  EXPECT_LT(metric("mixed", "neighbours_5"), 0.9);
}

TEST_F(PlantedDecisions, OfPlainNumbers) {
  const auto plain = [](const std::string& name, const std::string& last) {
    return Planted{name, graph("(float[2,2,2,2,2] x) => (float[2,2,2,2,2] y) <float more = {1.5}> { a = Identity(x) " +
                               last + " }")};
  };
  eval("tensor", {plain("plain", "y = Identity(a)"), plain("more", "y = Mul(a, more)"), plain("less", "y = Neg(a)")});
  EXPECT_EQ(metric("more", "identical"), 0);
  EXPECT_NEAR(metric("more", "relative_error"), 0.5, 1e-6);
  EXPECT_NEAR(metric("more", "cosine"), 1, 1e-12);
  EXPECT_NEAR(metric("less", "cosine"), -1, 1e-12);
  EXPECT_TRUE(model("less")["changed"].is_null()) << "what these numbers mean, nobody said";
}

/// A sequence is several tensors, and they are held against each other one by one.
TEST_F(PlantedDecisions, OfSequences) {
  const auto sequence = [](const std::string& name, const std::string& last) {
    return Planted{name, graph("(float[1,4] x) => (seq(float[1,4]) y, float[2,2,2,2,2] z) <float[2,2,2,2,2] ones = {" +
                               random_numbers(32, 4) + "}> { n = Neg(x) y = SequenceConstruct(" + last +
                               ") z = Identity(ones) }")};
  };
  eval("tensor", {sequence("plain", "x, n"), sequence("second", "x, x")});
  expect_moved("second", {"cosine", "identical", "relative_error"});
}

/// Pictures with labels: how good each is, apart from how alike they are.
TEST_F(PlantedDecisions, AgainstLabels) {
  const std::vector<Colour> colours = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    fs::create_directories(folder_.path() / "pictures" / std::to_string(kind));
    for (int i = 0; i < 4; ++i)
      ASSERT_TRUE(write_png(folder_.path() / "pictures" / std::to_string(kind) / (std::to_string(i) + ".png"),
                            Picture(8 + i, 8, colours[kind])));
  }
  const auto net = [](const std::string& name, const std::string& order) {
    return Planted{name,
                   graph("(float[1,3,8,8] data) => (float[1,3] logits) <int64[3] order = {" + order +
                         "}> { m = GlobalAveragePool(data) f = Flatten(m) logits = Gather<axis = 1>(f, order) }")};
  };
  eval("classification", {net("plain", "0,1,2"), net("flipped", "0,2,1")},
       {"--data", path("pictures"), "--preprocess", "raw", "--softmax"});
  EXPECT_EQ(model("plain")["against_labels"]["top1"]["value"], 1);
  EXPECT_EQ(model("copy")["against_labels"]["top1"]["value"], 1);
  EXPECT_NEAR(model("flipped")["against_labels"]["top1"]["value"].get<double>(), 1.0 / 3, 1e-12);
  EXPECT_NEAR(metric("flipped", "top1_agreement"), 1.0 / 3, 1e-12);
  EXPECT_NEAR(model("flipped")["worst"][0]["margin"].get<double>(), 1, 1e-6) << "as probabilities, not 255";
}

/// A description of one's own, and boxes of COCO, which are in the pixels of the picture and not of the net.
class PlantedBoxes : public PlantedDecisions {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.path() / "pictures" / "annotations");
    for (const char* name : {"a.png", "b.png"})
      ASSERT_TRUE(write_png(folder_.path() / "pictures" / name, Picture(64, 32, {9, 9, 9})));
    ASSERT_TRUE(write_file_atomic(folder_.path() / "pictures" / "annotations" / "instances.json", R"({
      "images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
      "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [16, 8, 32, 16]},
                      {"id": 2, "image_id": 2, "category_id": 5, "bbox": [16, 8, 32, 16]}],
      "categories": [{"id": 5, "name": "thing"}]})"));
    ASSERT_TRUE(write_file_atomic(path("own.yaml"),
                                  "name: own\nform: lists\nbox: corner_size\nscore: 0.2\nnumbering: ids\n"
                                  "outputs: {boxes: [where], scores: [sure], classes: [what]}\n"));
  }
  /// One box from its corner and size, in a picture of 32 by 32.
  static Planted net(const std::string& name, const std::string& box) {
    return {
        name,
        graph("(float[1,3,32,32] data) => (float[1,4] where_, float[1] sure, float[1] what) <float[1,4] box = {" + box +
              "}, float[1] score = {0.3}, float[1] label = {5}, float none = {0.0}> { m = "
              "ReduceMean<keepdims = 0>(data) z = Mul(m, none) where_ = Add(box, z) sure = Add(score, z) what = "
              "Add(label, z) }")};
  }
};

TEST_F(PlantedBoxes, AreReadAsAFileSays) {
  const std::vector<std::string> more{"--data", path("pictures"), "--preprocess",
                                      "raw",    "--detector",     path("own.yaml")};
  eval("detection", {net("plain", "8,8,16,16"), net("moved", "12,8,16,16")}, more);
  EXPECT_THAT(ran_.out, HasSubstr("with the detector 'own'"));
  EXPECT_EQ(model("plain")["against_labels"]["map_50_95"]["value"], 1) << report_;
  EXPECT_EQ(model("moved")["against_labels"]["f1_iou50"]["value"], 1);
  EXPECT_EQ(model("moved")["against_labels"]["map_75"]["value"], 0) << "12 of 20 pixels are in both";
  expect_moved("moved", {"f1_iou75", "f1_iou90", "map_75", "map_90", "map_50_95", "ar", "mean_best_iou"});
}

TEST_F(PlantedBoxes, OfADetectorThatIsNotThereAreNotRead) {
  const std::string model = write(net("plain", "8,8,16,16"));
  const auto complaint = [&](std::vector<std::string> words, int code = 2) {
    words.insert(words.begin(), {"eval", model, "--run-dir", path("run")});
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, code) << ran.out;
    return ran.err;
  };
  EXPECT_THAT(complaint({"--detector", "yolov9"}), HasSubstr("did you mean 'yolov"));
  EXPECT_THAT(complaint({"--detector", "no.yaml"}), HasSubstr("there are detr, lists, ssd"));
  EXPECT_THAT(complaint({"--detector", "ssd", "--task", "picture"}), HasSubstr("--detector is for detection"));
  EXPECT_THAT(complaint({"--detector", "ssd", "--softmax"}), HasSubstr("--softmax is for classification"));
  ASSERT_TRUE(write_file_atomic(path("bad.yaml"), "name: bad\nform: circles\n"));
  EXPECT_THAT(complaint({"--detector", path("bad.yaml")}, 3), HasSubstr("line 2"));
}

}  // namespace
}  // namespace culprit::testing
