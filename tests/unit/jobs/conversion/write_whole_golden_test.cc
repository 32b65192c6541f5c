// Whole networks with edits, as users load them.
#include <gmock/gmock.h>

#include "base/folder.h"
#include "model/model.h"
#include "network/tflite/read_tflite_network.h"
#include "side_bench.h"
#include "support/tflite_net.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TfliteNet;
using ::testing::UnorderedElementsAre;

const char* const net = R"(
net (float[2,3] x) => (float[2,3] y, float[2,3] raw)
<float[3] w = {1, 2, 3}, float[3] b = {1, 1, 1}, float[1] nobody = {5}>
{
  raw = Mul(x, w)
  shifted = Add(raw, b)
  lonely = Neg(shifted)
  y = Relu(shifted)
})";

class WholeOnnxTest : public SideBench {
 protected:
  [[nodiscard]] int value(const std::string& name) const { return value_named(side->network(), name); }
  [[nodiscard]] int layer(const std::string& name) const { return layer_making(side->network(), name); }

  onnx::GraphProto whole(const std::vector<Edit>& edits, const std::vector<SeenOutput>& seen = {}) {
    const auto file = side->write_whole(edits, seen);
    if (!file) throw std::runtime_error(file.error().text());
    return load_model(*file).value().proto->graph();
  }
  /// What a written network gives for {1,-2,3} twice, by output.
  std::map<std::string, std::vector<float>> given(const onnx::GraphProto& graph) {
    onnx::ModelProto model = onnx_of(net);
    *model.mutable_graph() = graph;
    samples.clear();
    add_sample({{"x", Tensor::of<float>({2, 3}, {1, -2, 3, 1, -2, 3})}});
    const auto opened = side_of(model);
    const auto outcome = look(*opened, {});
    std::map<std::string, std::vector<float>> all;
    for (const NamedTensor& one : outcome.outputs.at(0)) all[one.name] = testing::floats_of(one.value);
    return all;
  }
  template <class Things>
  static std::vector<std::string> names(const Things& things) {
    std::vector<std::string> found;
    for (const auto& one : things) found.push_back(one.name());
    return found;
  }
  static std::vector<std::string> types(const onnx::GraphProto& graph) {
    std::vector<std::string> found;
    for (const auto& node : graph.node()) found.push_back(node.op_type());
    return found;
  }

  std::unique_ptr<Side> side = side_of(net);
};

TEST_F(WholeOnnxTest, ConstantsKeepTheirNamesAndNothingIsLeftBehind) {
  const auto graph = whole({SetConstant{.value = value("w"), .tensor = Tensor::of<float>({3}, {2, 2, 2})}});
  EXPECT_THAT(names(graph.initializer()), UnorderedElementsAre("w", "b", "nobody"));
  EXPECT_THAT(types(graph), ElementsAre("Mul", "Add", "Neg", "Relu"));
  EXPECT_THAT(given(graph)["raw"], ElementsAre(2, -4, 6, 2, -4, 6));
}

TEST_F(WholeOnnxTest, ANewConstantOfOneLayerIsBesideTheOther) {
  const auto graph = whole(
      {SetConstant{.value = -1, .tensor = Tensor::of<float>({3}, {0, 0, 9}), .layer = layer("shifted"), .at = 1}});
  EXPECT_THAT(names(graph.initializer()), UnorderedElementsAre("w", "b", "nobody"));
  EXPECT_THAT(given(graph)["y"], ElementsAre(1, 0, 18, 1, 0, 18));
}

TEST_F(WholeOnnxTest, WhatStandsBehindAnOutputBecomesTheOutput) {
  const auto graph = whole({behind(value("raw"), "Neg")});
  EXPECT_THAT(names(graph.output()), ElementsAre("y", "raw"));
  auto numbers = given(graph);
  EXPECT_THAT(numbers["raw"], ElementsAre(-1, 4, -9, -1, 4, -9));
  EXPECT_THAT(numbers["y"], ElementsAre(0, 5, 0, 0, 5, 0));
}

TEST_F(WholeOnnxTest, AnOperatorOfTwoValuesIsPutBehindTheFirst) {
  InsertBehind product = behind(value("shifted"), "Mul");
  product.with = value("raw");
  EXPECT_THAT(given(whole({product}))["y"], ElementsAre(2, 12, 90, 2, 12, 90));
}

/// The second value follows from a user of the first: that user keeps what it takes.
TEST_F(WholeOnnxTest, ASumAroundALayerMakesNoCircle) {
  InsertBehind sum = behind(value("raw"), "Add");
  sum.with = value("y");
  auto numbers = given(whole({sum}));
  EXPECT_THAT(numbers["raw"], ElementsAre(3, -4, 19, 3, -4, 19));
  EXPECT_THAT(numbers["y"], ElementsAre(2, 0, 10, 2, 0, 10));
}

TEST_F(WholeOnnxTest, OutputsAreExchangedWithoutCopies) {
  const auto graph = whole({SetOutput{0, value("raw")}, SetOutput{1, value("y")}});
  EXPECT_THAT(names(graph.output()), ElementsAre("y", "raw"));
  EXPECT_THAT(types(graph), UnorderedElementsAre("Mul", "Add", "Neg", "Relu"));
  auto numbers = given(graph);
  EXPECT_THAT(numbers["y"], ElementsAre(1, -4, 9, 1, -4, 9));
  EXPECT_THAT(numbers["raw"], ElementsAre(2, 0, 10, 2, 0, 10));
}

TEST_F(WholeOnnxTest, OutputsThatAreExchangedHaveEachOthersTypes) {
  side = side_of("g (float[2,3] x) => (float[2,3] y, int64[2,3] n) { y = Relu(x) n = Cast <to = 7> (x) }");
  const auto graph = whole({SetOutput{0, value("n")}, SetOutput{1, value("y")}});
  EXPECT_THAT(names(graph.output()), ElementsAre("y", "n"));
  EXPECT_EQ(graph.output(0).type().tensor_type().elem_type(), onnx::TensorProto::INT64);
  EXPECT_EQ(graph.output(1).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
}

TEST_F(WholeOnnxTest, AConstantThatIsAnOutputKeepsItsName) {
  side = side_of("g (float[2,3] x) => (float[2,3] y, float[3] w) <float[3] w = {1, 2, 3}> { y = Mul(x, w) }");
  const auto graph = whole({SetConstant{.value = value("w"), .tensor = Tensor::of<float>({3}, {2, 2, 2})}});
  EXPECT_THAT(names(graph.output()), ElementsAre("y", "w"));
  auto numbers = given(graph);
  EXPECT_THAT(numbers["y"], ElementsAre(2, -4, 6, 2, -4, 6));
  EXPECT_THAT(numbers["w"], ElementsAre(2, 2, 2));
}

TEST_F(WholeOnnxTest, AnOperatorThatIsLeftOutLeavesItsOutputsName) {
  const auto graph = whole({Bypass{layer("y")}});
  EXPECT_THAT(names(graph.output()), ElementsAre("y", "raw"));
  EXPECT_THAT(given(graph)["y"], ElementsAre(2, -3, 10, 2, -3, 10));
}

TEST_F(WholeOnnxTest, WhatOnlyTheOldEdgeUsedGoes) {
  const auto graph = whole({SetInput{layer("y"), 0, value("x")}, SetInput{layer("lonely"), 0, value("x")}});
  EXPECT_THAT(types(graph), ElementsAre("Mul", "Neg", "Relu"));
  EXPECT_THAT(names(graph.initializer()), UnorderedElementsAre("w", "nobody"));
}

TEST_F(WholeOnnxTest, SizesOfOutputsAreThoseThatWereSeen) {
  InsertBehind turned = behind(value("y"), "Transpose");
  const auto graph = whole({turned}, {{0, {{3, 2}, {3, 4}}}, {1, {{2, 3}}}});
  const auto& shape = graph.output(0).type().tensor_type().shape();
  EXPECT_EQ(shape.dim(0).dim_value(), 3);
  EXPECT_FALSE(shape.dim(1).has_dim_value()) << "it was seen in two sizes";
  EXPECT_EQ(graph.output(1).type().tensor_type().shape().dim(0).dim_value(), 2);
}

/// Version 3 wants stored tensors among the inputs, and users may feed them.
TEST_F(WholeOnnxTest, TensorsStayAmongTheInputs) {
  onnx::ModelProto model = onnx_of(net);
  model.set_ir_version(3);
  const onnx::GraphProto given = model.graph();
  for (const auto& tensor : given.initializer()) {
    auto& input = *model.mutable_graph()->add_input();
    input.set_name(tensor.name());
    input.mutable_type()->mutable_tensor_type()->set_elem_type(tensor.data_type());
  }
  side = side_of(model);
  InsertBehind sum = behind(value("y"), "Add");
  sum.constants.push_back(Tensor::of<float>({3}, {1, 2, 3}));
  const auto graph = whole({SetConstant{.value = value("w"), .tensor = Tensor::of<float>({3}, {2, 2, 2})}, sum});
  const auto inputs = names(graph.input());
  for (const auto& tensor : graph.initializer()) EXPECT_THAT(inputs, ::testing::Contains(tensor.name()));
  EXPECT_THAT(inputs, ::testing::Contains("w"));
}

class WholeTfliteTest : public SideBench {
 protected:
  void open(const TfliteFile& file) {
    given = std::string(file.bytes());
    auto opened = open_tflite_side(file, folder(), {});
    ASSERT_TRUE(opened) << opened.error().text();
    side = std::move(*opened);
  }
  TfliteFile whole(const std::vector<Edit>& edits) const {
    const auto file = side->write_whole(edits);
    if (!file) throw std::runtime_error(file.error().text());
    return TfliteFile::open(*file).value();
  }
  [[nodiscard]] int layer(const std::string& native) const { return testing::tflite_layer(side->network(), native); }

  std::string given;
  std::unique_ptr<Side> side;
};

TEST_F(WholeTfliteTest, WithoutAnEditItIsTheSameBytes) {
  open(testing::small_cnn());
  EXPECT_TRUE(whole({}).bytes() == given);
}

TEST_F(WholeTfliteTest, AConstantOfTheSameSizeIsWrittenOverInItsPlace) {
  open(testing::small_cnn());
  const Network& network = side->network();
  const NetworkLayer& conv = network.layers[static_cast<std::size_t>(layer("CONV_2D"))];
  const NetworkValue& kernel = network.values[static_cast<std::size_t>(conv.inputs[1])];
  std::vector<float> numbers(static_cast<std::size_t>(kernel.constant->count()), 7);
  const TfliteFile file =
      whole({SetConstant{.value = conv.inputs[1], .tensor = Tensor::of<float>(kernel.constant->shape(), numbers)}});
  EXPECT_EQ(file.bytes().size(), given.size());
  const Network made = read_tflite_network(file).value();
  const int place = made.layers[static_cast<std::size_t>(testing::tflite_layer(made, "CONV_2D"))].inputs[1];
  EXPECT_EQ(testing::floats_of(*made.values[static_cast<std::size_t>(place)].constant), numbers);
  EXPECT_EQ(made.values[static_cast<std::size_t>(place)].name, kernel.name);
  EXPECT_EQ(made.values.size(), network.values.size());
}

TEST_F(WholeTfliteTest, ASharedConstantIsLeftToTheOtherLayer) {
  TfliteNet files({1, 2});
  const auto shared = files.floats({2}, {1, 2});
  const auto sum = files.node("ADD", {TfliteNet::x, shared}, "sum", {1, 2});
  open(files.file({files.node("MUL", {sum, shared}, "product", {1, 2})}));
  const TfliteFile file =
      whole({SetConstant{.value = -1, .tensor = Tensor::of<float>({2}, {3, 4}), .layer = layer("MUL"), .at = 1}});
  const Network made = read_tflite_network(file).value();
  const auto numbers = [&](const std::string& op) {
    const int place = made.layers[static_cast<std::size_t>(testing::tflite_layer(made, op))].inputs[1];
    return testing::floats_of(*made.values[static_cast<std::size_t>(place)].constant);
  };
  EXPECT_THAT(numbers("ADD"), ElementsAre(1, 2));
  EXPECT_THAT(numbers("MUL"), ElementsAre(3, 4));
}

TEST_F(WholeTfliteTest, WhatStandsBehindAnOutputBecomesTheOutput) {
  open(testing::small_cnn());
  const Network& network = side->network();
  const TfliteFile file = whole({behind(network.outputs[0], "Neg")});
  const auto opened = open_tflite_side(file, folder(), {}).value();
  const Network& made = opened->network();
  EXPECT_EQ(made.values[static_cast<std::size_t>(made.outputs[0])].name, "y");
  EXPECT_EQ(made.layers[static_cast<std::size_t>(made.values[static_cast<std::size_t>(made.outputs[0])].made_by)].type,
            "Neg");
}

TEST_F(WholeTfliteTest, AnOperatorOfTwoValuesIsPutBehindTheFirst) {
  TfliteNet files({1, 2});
  const auto negated = files.node("NEG", {TfliteNet::x}, "negated", {1, 2});
  open(files.file({files.node("RELU", {negated}, "cut", {1, 2})}));
  const Network& network = side->network();
  InsertBehind sum = behind(network.outputs[0], "Add");
  sum.with = network.layers[static_cast<std::size_t>(layer("RELU"))].inputs[0];
  const auto opened = open_tflite_side(whole({sum}), folder(), {}).value();
  const Network& made = opened->network();
  const NetworkLayer& last =
      made.layers[static_cast<std::size_t>(made.values[static_cast<std::size_t>(made.outputs[0])].made_by)];
  EXPECT_EQ(last.type, "Add");
  EXPECT_EQ(made.values[static_cast<std::size_t>(last.inputs[1])].name, "negated");
}

TEST(WholeFile, AFormatThatIsNotWrittenSaysSo) {
  struct Other : Side {
    [[nodiscard]] const Network& network() const override { return network_; }
    [[nodiscard]] Result<PreparedRun> prepare(const SideView& /*view*/,
                                              const std::vector<std::filesystem::path>& /*samples*/,
                                              const std::filesystem::path& /*folder*/) const override {
      return PreparedRun{};
    }
    [[nodiscard]] bool can_be_drawn() const override { return false; }
    Network network_;
  } side;
  side.network_.format = "tensorflow";
  const auto refused = side.write_whole({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("tensorflow"));
}

}  // namespace
}  // namespace culprit
