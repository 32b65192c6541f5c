// Planted mistakes in two small models; `make mutation` takes the whole zoo.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "model/node_diff.h"
#include "mutation/experiment.h"
#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "support/twin.h"

namespace culprit::testing {
namespace {

class Planted : public ::testing::TestWithParam<std::string> {};

TEST_P(Planted, MistakesAreFoundAndTheVeryNodeNamed) {
  CULPRIT_ONE_OF(2);
  if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  const auto runner = open_onnxruntime(find_onnxruntime("").value());
  ASSERT_TRUE(runner) << runner.error().text();
  const TemporaryFolder folder = scratch();
  Subject subject(make_twin(zoo() / "models" / (GetParam() + ".onnx"), folder.path()), **runner);
  std::size_t observable = 0;
  for (const Mistake& mistake : mistakes()) {
    const auto experiment = subject.plant(mistake.kind, 0, CULPRIT_MUTATION_BINARY);
    if (!experiment) continue;
    observable += experiment->observable ? 1 : 0;
    EXPECT_TRUE(experiment->found || !experiment->observable) << experiment->line();
  }
  EXPECT_GE(observable, 3U);
}

INSTANTIATE_TEST_SUITE_P(Zoo, Planted,
                         ::testing::ValuesIn(thinned<std::string>({"light-squeezenet-9", "ultraface-rfb-320-9"}, 2)),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

onnx::NodeProto parsed(const char* text) {
  onnx::NodeProto node;
  EXPECT_TRUE(onnx::OnnxParser::Parse(node, text).IsOK());
  return node;
}

std::string mistaken(const char* kind, const char* text) {
  const Mistake* mistake = mistake_of(kind);
  onnx::NodeProto node = parsed(text);
  EXPECT_TRUE(mistake->fits(node)) << text;
  std::vector<onnx::NodeProto> before;
  mistake->make(node, before);
  return text_of(node);
}

TEST(Mistakes, AreWhatTheirNamesSay) {
  EXPECT_EQ(mistaken("swapped_inputs", "y = Sub (a, b)"), "y = Sub(b, a)");
  EXPECT_EQ(mistaken("dropped_bias", "y = Conv (a, w, b)"), "y = Conv(a, w)");
  EXPECT_EQ(mistaken("off_by_one_pad", "y = Conv <pads = [1, 1, 1, 1]> (a, w)"), "y = Conv(a, w) {pads: [2, 1, 0, 1]}");
  EXPECT_EQ(mistaken("epsilon_lost", "y = InstanceNormalization (a, w, b)"),
            "y = InstanceNormalization(a, w, b) {epsilon: 1}");
  EXPECT_EQ(mistaken("wrong_axis", "y = Concat <axis = 1> (a, b)"), "y = Concat(a, b) {axis: 2}");
}

TEST(Mistakes, FitOnlyWhereTheyWouldBeMistakes) {
  EXPECT_FALSE(mistake_of("swapped_inputs")->fits(parsed("y = Add (a, b)")));
  EXPECT_FALSE(mistake_of("swapped_inputs")->fits(parsed("y = Sub (a, a)")));
  EXPECT_FALSE(mistake_of("dropped_bias")->fits(parsed("y = Conv (a, w)")));
  const Mistake& bias = *mistake_of("dropped_bias");
  onnx::ModelProto model;
  ASSERT_TRUE(onnx::OnnxParser::Parse(model, R"(<ir_version: 8, opset_import: ["" : 15]>
      g (float[1,1,3,3] a) => (float[1,1,3,3] y) <float[1,1,1,1] w = {2}, float[1] zero = {0}, float[1] one = {1}>
      { b = Conv (a, w, zero) y = Conv (b, w, one) })")
                  .IsOK());
  EXPECT_THAT(places_of(bias, model.graph()), ::testing::ElementsAre(1)) << "a bias of zeros is rightly dropped";
  EXPECT_FALSE(mistake_of("off_by_one_pad")->fits(parsed("y = Conv <pads = [0, 0, 0, 0]> (a, w)")));
  EXPECT_FALSE(mistake_of("transposed_weight")->fits(parsed("y = Conv <kernel_shape = [1, 1]> (a, w)")));
}

}  // namespace
}  // namespace culprit::testing
