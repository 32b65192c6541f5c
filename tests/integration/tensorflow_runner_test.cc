// Graphs of TensorFlow by its own library, where there is one.
#include <gmock/gmock.h>

#include "base/file.h"
#include "runtime/tensorflow/known_graph.h"
#include "tensorflow_fixture.h"
#include "unit/models/network/tensorflow_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TensorflowRunner : public TensorflowFixture {
 protected:
  static Result<std::vector<NamedTensor>> run(const tensorflow::Graph& graph, const std::vector<NamedTensor>& inputs,
                                              const SessionOptions& options = {}) {
    auto session = runner()->load(ModelInMemory{graph.SerializeAsString(), {}}, options);
    if (!session) return tl::unexpected(session.error());
    return (*session)->run(inputs);
  }

  static std::vector<std::string> names_of(const std::vector<NamedTensor>& values) {
    std::vector<std::string> names;
    for (const NamedTensor& value : values) names.push_back(value.name);
    return names;
  }
};

constexpr int float_type = 1, int_type = 3, string_type = 7;

tensorflow::Node& add_typed(tensorflow::Graph& graph, const std::string& name, const std::string& op,
                            std::initializer_list<const char*> inputs, int type = float_type) {
  tensorflow::Node& node = add_tensorflow_node(*graph.mutable_nodes(), name, op, inputs);
  (*node.mutable_attributes())["T"].set_type(type);
  return node;
}

/// `bytes` are a TensorProto of TensorFlow.
void add_const(tensorflow::Graph& graph, const std::string& name, int type, const std::string& bytes) {
  tensorflow::Node& node = add_tensorflow_node(*graph.mutable_nodes(), name, "Const");
  (*node.mutable_attributes())["dtype"].set_type(type);
  (*node.mutable_attributes())["value"].set_tensor(bytes);
}

/// y = relu(-x).
tensorflow::Graph relu_of_negated() {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", float_type, {-1, 2});
  add_typed(graph, "neg", "Neg", {"x"});
  add_typed(graph, "y", "Relu", {"neg"});
  return graph;
}

TEST_F(TensorflowRunner, KnowsItsVersion) {
  EXPECT_EQ(runner()->name(), "tensorflow");
  EXPECT_THAT(runner()->version(), HasSubstr("2."));
}

TEST_F(TensorflowRunner, ComputesAtEachLevelInTheShapeThatIsFed) {
  for (const Level level : {Level::off, Level::all})
    for (const std::int64_t rows : {1, 3}) {
      SessionOptions options;
      options.level = level;
      const std::vector<float> ones(static_cast<std::size_t>(rows * 2), -1.5F), wanted(ones.size(), 1.5F);
      const auto outputs = run(relu_of_negated(), {{"x:0", Tensor::of({rows, 2}, ones)}}, options);
      ASSERT_TRUE(outputs) << outputs.error().text();
      EXPECT_THAT(names_of(*outputs), ElementsAre("y:0"));
      EXPECT_TRUE(outputs->front().value.identical(Tensor::of({rows, 2}, wanted)));
    }
}

TEST_F(TensorflowRunner, InnerValuesComeAsTheyAreAskedFor) {
  SessionOptions options;
  options.fetch = {"neg:0", "x", "y:0"};
  const auto outputs = run(relu_of_negated(), {{"x", Tensor::of<float>({1, 2}, {3, -4})}}, options);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(names_of(*outputs), ElementsAre("neg:0", "x", "y:0"));
  EXPECT_TRUE((*outputs)[0].value.identical(Tensor::of<float>({1, 2}, {-3, 4})));
  EXPECT_TRUE((*outputs)[1].value.identical(Tensor::of<float>({1, 2}, {3, -4})));
  EXPECT_TRUE((*outputs)[2].value.identical(Tensor::of<float>({1, 2}, {0, 4})));
}

TEST_F(TensorflowRunner, AnInnerTensorIsFedInThePlaceOfBeingComputed) {
  SessionOptions options;
  options.feed = {"neg:0"};
  options.fetch = {"y:0", "neg:0"};
  const auto outputs = run(relu_of_negated(), {{"neg:0", Tensor::of<float>({1, 2}, {5, -6})}}, options);
  ASSERT_TRUE(outputs) << outputs.error().text();  // nothing needs x
  EXPECT_TRUE((*outputs)[0].value.identical(Tensor::of<float>({1, 2}, {5, 0})));
  EXPECT_TRUE((*outputs)[1].value.identical(Tensor::of<float>({1, 2}, {5, -6})));
  const auto missing = run(relu_of_negated(), {{"x", Tensor::of<float>({1, 2}, {3, -4})}}, options);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("'neg:0' is to be fed"));
  options.feed = {"nothing:0"};
  EXPECT_THAT(run(relu_of_negated(), {}, options).error().message, HasSubstr("no tensor 'nothing:0'"));
}

/// TensorFlow's optimizer adds the constants of (x + 1e8) - 1e8 first, which gives x; the sums one by one lose it.
TEST_F(TensorflowRunner, TheLevelReachesTheSession) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", float_type, {1});
  add_const(graph, "much", float_type, {"\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x04\x20\xbc\xbe\x4c", 14});
  add_const(graph, "less", float_type, {"\x08\x01\x12\x04\x12\x02\x08\x01\x2a\x04\x20\xbc\xbe\xcc", 14});
  add_const(graph, "one", int_type, {"\x08\x03\x12\x04\x12\x02\x08\x01\x3a\x01\x01", 11});
  add_typed(graph, "in", "Reshape", {"x", "one"});  // it trusts no shape of what is fed
  add_typed(graph, "large", "AddV2", {"in", "much"});
  add_typed(graph, "back", "AddV2", {"large", "less"});
  add_typed(graph, "y", "Neg", {"back"});
  for (const Level level : {Level::off, Level::all}) {
    SessionOptions options;
    options.level = level;
    const auto outputs = run(graph, {{"x", Tensor::of<float>({1}, {1})}}, options);
    ASSERT_TRUE(outputs) << outputs.error().text();
    EXPECT_EQ(outputs->front().value.number(0), level == Level::off ? 0 : -1);
  }
}

TEST_F(TensorflowRunner, ANodeWithSeveralOutputsGivesThemAll) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", float_type, {2});
  auto& both = add_tensorflow_node(*graph.mutable_nodes(), "both", "Unique", {"x"});
  (*both.mutable_attributes())["T"].set_type(float_type);
  const auto outputs = run(graph, {{"x", Tensor::of<float>({2}, {7, 7})}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(names_of(*outputs), ElementsAre("both:0", "both:1"));
  EXPECT_TRUE((*outputs)[0].value.identical(Tensor::of<float>({1}, {7})));
  EXPECT_TRUE((*outputs)[1].value.identical(Tensor::of<std::int32_t>({2}, {0, 0})));
}

TEST_F(TensorflowRunner, StringsGoInAndOut) {
  tensorflow::Graph graph;
  add_placeholder(graph, "s", string_type, {-1});
  add_tensorflow_node(*graph.mutable_nodes(), "lower", "StringLower", {"s"});
  const std::vector<std::string> words{"A", std::string(100, 'B'), "", std::string("\0C", 2)};
  const auto outputs = run(graph, {{"s", Tensor::from_strings({4}, words).value()}});
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(outputs->front().value.strings(), ElementsAre("a", std::string(100, 'b'), "", std::string("\0c", 2)));
}

TEST_F(TensorflowRunner, WhatCannotBeRunIsSaid) {
  EXPECT_FALSE(runner()->load(ModelInMemory{"no model at all", {}}, {}));
  EXPECT_FALSE(runner()->load("/no/such/graph.pb", {}));
  SessionOptions unknown;
  unknown.fetch = {"nothing:0"};
  EXPECT_THAT(run(relu_of_negated(), {}, unknown).error().message, HasSubstr("no tensor 'nothing:0'"));
  unknown.fetch = {"neg:1"};
  EXPECT_THAT(run(relu_of_negated(), {}, unknown).error().message, HasSubstr("no tensor 'neg:1'"));
  EXPECT_THAT(run(relu_of_negated(), {}).error().message, HasSubstr("'x'"));
  EXPECT_THAT(run(relu_of_negated(), {{"z", Tensor::of<float>({1, 2}, {1, 2})}}).error().message,
              HasSubstr("no input 'z'; it has x:0"));
  EXPECT_THAT(run(relu_of_negated(), {{"x", Tensor::of<float>({1, 3}, {1, 2, 3})}}).error().message,
              HasSubstr("[-1,2]"));
  EXPECT_FALSE(run(relu_of_negated(), {{"x", Tensor::of<std::int32_t>({1, 2}, {1, 2})}}));
}

TEST_F(TensorflowRunner, AnUnknownOperatorIsRefusedAndNothingElseIsLost) {
  tensorflow::Graph graph = relu_of_negated();
  graph.mutable_nodes(1)->set_op("MyOwnOperator");
  const auto outputs = run(graph, {{"x", Tensor::of<float>({1, 2}, {1, 2})}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(outputs.error().message, HasSubstr("MyOwnOperator"));
  EXPECT_TRUE(run(relu_of_negated(), {{"x", Tensor::of<float>({1, 2}, {1, 2})}}));
}

TEST_F(TensorflowRunner, OnlyATrustedModelReadsFiles) {
  auto folder = TemporaryFolder::create(::testing::TempDir(), "tensorflow-");
  ASSERT_TRUE(folder && write_file_atomic(folder->path() / "secret", "hidden words"));
  tensorflow::Graph graph;
  add_placeholder(graph, "file", string_type, {});
  add_tensorflow_node(*graph.mutable_nodes(), "read", "ReadFile", {"file"});
  const std::vector<NamedTensor> inputs{{"file", Tensor::from_strings({}, {folder->path() / "secret"}).value()}};
  const auto refused = run(graph, inputs);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("ReadFile (node 'read')"));
  SessionOptions options;
  options.trusted = true;
  const auto outputs = run(graph, inputs, options);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(outputs->front().value.strings(), ElementsAre("hidden words"));
}

TEST(OpenTensorflow, RefusesWhatIsNotTensorflow) {
  const auto missing = open_tensorflow("/no/such/libtensorflow_cc.so.2");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().hint, HasSubstr("scripts/setup tensorflow"));
  const auto other = open_tensorflow("libm.so.6");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("not TensorFlow"));
}

}  // namespace
}  // namespace culprit
