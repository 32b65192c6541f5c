// Sequences, maps and optionals as inputs and outputs, through the built tool and without a flag: models that are
// right, and real faults of the optimizer in front of each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx-data.pb.h>
#include <onnx/onnx_pb.h>

#include "model/model.h"
#include "support/tool.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class Values : public ::testing::Test {
 protected:
  Ran check(const std::string& text, std::vector<std::string> flags = {}) {
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(
        model, ("<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.ml\" : 1]> g " + text).c_str());
    EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    give_it_the_name_of_a_part(*model.mutable_graph());
    EXPECT_TRUE(save_model(model, file()));
    flags.insert(flags.begin(), file());
    Ran ran = culprit_check(flags);
    EXPECT_EQ(ran.does_not_follow, "");
    return ran;
  }
  [[nodiscard]] std::string file() const { return folder_.path() / "model.onnx"; }

  /// The text syntax knows no names with a dot.
  static void give_it_the_name_of_a_part(onnx::GraphProto& graph) {
    for (auto& node : *graph.mutable_node()) {
      for (auto& output : *node.mutable_output()) {
        if (output == "y_length") output = "y.length";
      }
    }
    for (auto& output : *graph.mutable_output()) {
      if (output.name() == "y_length") output.set_name("y.length");
    }
  }

  static const Json& model_of(const Ran& ran) { return ran.report["models"][0]; }

  /// Right, but for the types that the export loses; a bundle that changes something is right as well.
  static void expect_right(const Ran& ran) {
    ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
    const Json& model = model_of(ran);
    EXPECT_EQ(model["baseline"]["status"], "ok") << ran.out;
    EXPECT_TRUE(model["faults"].empty()) << ran.out;
    EXPECT_EQ(ran.exit, 0) << ran.out;
    expect_no_wrong_variant(ran);
  }

  /// The runtime does not take the model as it was exported, without the type of an input; the passes are right.
  static void expect_only_the_export_is_refused(const Ran& ran) {
    ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
    const Json& faults = model_of(ran)["faults"];
    ASSERT_EQ(faults.size(), 1U) << ran.out;
    EXPECT_EQ(faults[0]["culprits"], Json::array({"round_trip"})) << ran.out;
    EXPECT_EQ(faults[0]["verdict"], "rejected") << ran.out;
    EXPECT_THAT(faults[0]["message"].get<std::string>(),
                AllOf(HasSubstr("leaves out the type of input"), HasSubstr("the runtime refuses it")));
    EXPECT_EQ(ran.exit, 1);
    expect_no_wrong_variant(ran);
  }

  static void expect_no_wrong_variant(const Ran& ran) {
    const Json& model = model_of(ran);
    for (const Json& variant : model["variants"]) {
      EXPECT_THAT(variant["verdict"].get<std::string>(), AnyOf("unchanged", "equivalent")) << ran.out;
    }
  }

  /// The one pass is found to be at fault, for this reason.
  static void expect_fault(const Ran& ran, const std::string& pass, const std::string& message) {
    ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
    EXPECT_EQ(model_of(ran)["baseline"]["status"], "ok") << ran.out;
    const Json* found = nullptr;
    for (const Json& fault : model_of(ran)["faults"]) {
      if (fault["culprits"] == Json::array({pass})) found = &fault;
    }
    ASSERT_NE(found, nullptr) << ran.out;
    EXPECT_EQ((*found)["verdict"], "diverged") << ran.out;
    EXPECT_THAT((*found)["message"].get<std::string>(), HasSubstr(message));
  }

  static std::vector<std::string> compared(const Ran& ran) {
    std::vector<std::string> names;
    for (const auto& [name, m] : model_of(ran)["controls"][0]["measurements"].items()) names.push_back(name);
    return names;
  }

  TemporaryFolder folder_ = scratch();
};

const std::string scores =
    "multi_class = 0, post_transform = \"SOFTMAX\", coefficients = [0.1, 0.2, 0.3, -0.2, 0.1, 0.5, -0.3, 0.4, 0.2], "
    "intercepts = [0.1, -0.1, 0.05]";

TEST_F(Values, AClassifierWithNumbersAsLabels) {
  const Ran ran = check(
      "(float[N,3] x) => (int64[N] label, seq(map(int64, float)) probabilities) { s = Identity(x) label, p = "
      "ai.onnx.ml.LinearClassifier <" +
      scores +
      ", classlabels_ints = [3, 1, 2]> (s) n = ai.onnx.ml.Normalizer <norm = \"L1\"> (p) "
      "probabilities = ai.onnx.ml.ZipMap <classlabels_int64s = [3, 1, 2]> (n) }");
  expect_right(ran);
  EXPECT_THAT(compared(ran),
              ::testing::ElementsAre("label", "probabilities.keys", "probabilities.length", "probabilities.values"));
  EXPECT_THAT(model_of(ran)["warnings"].dump(), HasSubstr("types_lost")) << "but the runtime infers the output's type";
  EXPECT_FALSE(model_of(ran)["safe_recipe"]["verified"].is_null());
}

TEST_F(Values, AForestWithTextAsLabels) {
  const Ran ran = check(R"((float[N,2] x) => (string[N] label, seq(map(string, float)) probabilities) {
    s = Identity(x)
    label, p = ai.onnx.ml.TreeEnsembleClassifier <classlabels_strings = ["cat", "dog"], post_transform = "NONE",
      nodes_treeids = [0, 0, 0], nodes_nodeids = [0, 1, 2], nodes_featureids = [0, 0, 0],
      nodes_modes = ["BRANCH_LEQ", "LEAF", "LEAF"], nodes_values = [0.0, 0.0, 0.0], nodes_truenodeids = [1, 0, 0],
      nodes_falsenodeids = [2, 0, 0], nodes_missing_value_tracks_true = [0, 0, 0], class_treeids = [0, 0, 0, 0],
      class_nodeids = [1, 1, 2, 2], class_ids = [0, 1, 0, 1], class_weights = [0.75, 0.25, 0.125, 0.875]> (s)
    probabilities = ai.onnx.ml.ZipMap <classlabels_strings = ["cat", "dog"]> (p) })");
  expect_right(ran);
}

TEST_F(Values, AMapAsAnInput) {
  const Ran ran = check(R"((map(string, float) features) => (float[N,3] y) {
    v = ai.onnx.ml.DictVectorizer <string_vocabulary = ["red", "green", "blue"]> (features)
    w = Identity(v)
    y = ai.onnx.ml.Scaler <offset = [0.1, 0.2, 0.3], scale = [1.0, 2.0, 3.0]> (w) })");
  expect_only_the_export_is_refused(ran);
  EXPECT_THAT(ran.out, HasSubstr("input 'features'"));
}

TEST_F(Values, SequencesInAndOut) {
  expect_only_the_export_is_refused(
      check(R"((seq(float[N,3]) x, float[4,3] t) => (seq(float[A,B]) y, float[C,3] z, float[D,3] first) {
    i = Identity(t) s = SequenceInsert(x, i) y = SplitToSequence <axis = 0> (i)
    z = ConcatFromSequence <axis = 0> (s) zero = Constant <value = int64 {0}> () first = SequenceAt(s, zero) })"));
}

TEST_F(Values, ASequenceThatMustNotBeEmpty) {
  const Ran ran = check("(seq(float[N,3]) x) => (float[C,3] z) { c = ConcatFromSequence <axis = 0> (x) z = Exp(c) }");
  expect_only_the_export_is_refused(ran);
}

TEST_F(Values, AFunctionOverASequence) {
  expect_only_the_export_is_refused(check(R"((seq(float[2]) x) => (seq(float[2]) y) {
    y = SequenceMap <body = b (float[2] e) => (float[2] r) { n = Identity(e) r = Neg(n) }> (x) })"));
}

TEST_F(Values, OptionalsInAndOut) {
  expect_only_the_export_is_refused(
      check(R"((float[3] x, optional(float[3]) o) => (float[3] y, bool has, optional(float[3]) z) {
    has = OptionalHasElement(o) i = Identity(x) y = Exp(i) z = Identity(o) })"));
}

const std::string wrong_pool =
    "e = Exp(x) g = Neg(e) pads = Constant <value = int64[8] {0, 0, 1, 1, 0, 0, 1, 1}> () zero = Constant <value = "
    "float {0}> "
    "() p = Pad(g, pads, zero) q = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (p) ";

TEST_F(Values, AWrongNumberInAMapIsFound) {
  const Ran ran =
      check("(float[2,1,4,4] x) => (seq(map(int64, float)) y) { " + wrong_pool +
            "f = Flatten(q) y = ai.onnx.ml.ZipMap <classlabels_int64s = [0, 1, 2, 3, 4, 5, 6, 7, 8]> (f) }");
  expect_fault(ran, "fuse_pad_into_pool", "output 'y.values' differs by");
}

TEST_F(Values, AWrongNumberInASequenceIsFound) {
  const Ran ran =
      check("(float[2,1,4,4] x) => (seq(float[A,B,C,D]) y) { " + wrong_pool + "y = SplitToSequence <axis = 0> (q) }");
  expect_fault(ran, "fuse_pad_into_pool", "output 'y[");
}

TEST_F(Values, AWrongNumberInAnOptionalIsFound) {
  const Ran ran = check("(float[2,1,4,4] x) => (optional(float[2,1,3,3]) y) { " + wrong_pool + "y = Optional(q) }");
  expect_fault(ran, "fuse_pad_into_pool", "output 'y' differs by");
}

TEST_F(Values, AnotherLengthOfASequenceIsFound) {
  const Ran ran = check(R"((float[2,3,4] x) => (seq(float[A]) y) {
    zero = Constant <value = int64[1] {0}> () one = Constant <value = int64[1] {1}> ()
    rest = Constant <value = int64[1] {-1}> () axis = Constant <value = int64[1] {0}> ()
    tail = Shape <start = 1> (x) d = Slice(tail, zero, one, zero) n = Squeeze(d, axis) flat = Reshape(x, rest)
    y = SplitToSequence <axis = 0> (flat, n) })",
                        {"--each", "eliminate_slice_after_shape"});
  expect_fault(ran, "eliminate_slice_after_shape", "output 'y.length': sequence length 8 became 12");
}

TEST_F(Values, AnOutputMayBeCalledLikeAPart) {
  const Ran ran = check(
      "(float[2,3] x) => (seq(float[A,3]) y, float[2,3] y_length) { i = Identity(x) y_length = Exp(i) "
      "y = SplitToSequence <axis = 0> (i) }");
  expect_right(ran);
  EXPECT_THAT(compared(ran), ::testing::ElementsAre("y'.length", "y'[0]", "y'[1]", "y.length"));
}

TEST_F(Values, TestDataOfSequencesAreRead) {
  onnx::SequenceProto sequence;
  for (const float first : {1.0F, 2.0F})
    *sequence.add_tensor_values() = to_proto(Tensor::of<float>({1, 3}, {first, 2, 3}), "");
  fs::create_directories(folder_.path() / "test_data_set_0");
  const fs::path data = folder_.path() / "test_data_set_0" / "input_0.pb";
  ASSERT_TRUE(write_file_atomic(data, sequence.SerializeAsString()));
  const std::string model =
      "(seq(float[N,3]) x) => (float[C,3] z) { c = ConcatFromSequence <axis = 0> (x) z = Exp(c) }";
  const Ran ran = check(model);
  EXPECT_EQ(model_of(ran)["data"]["source"], "test_data_set") << ran.out;
  EXPECT_EQ(model_of(ran)["baseline"]["status"], "ok") << ran.out;
  ASSERT_TRUE(write_file_atomic(data, sequence.SerializeAsString().substr(0, 20)));
  const Ran damaged = check(model, {"--data", folder_.path()});
  EXPECT_NE(damaged.exit, 0);
  EXPECT_THAT(damaged.out + damaged.err, HasSubstr("no ONNX sequence"));
}

}  // namespace
}  // namespace culprit::testing
