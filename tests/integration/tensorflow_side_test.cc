// Views of a graph of TensorFlow, run by its own library, where there is one.
#include <gmock/gmock.h>

#include <functional>

#include "base/as_index.h"
#include "base/file.h"
#include "conversion/sides/side.h"
#include "tensor/pack_file.h"
#include "tensorflow_fixture.h"
#include "unit/models/network/tensorflow_samples.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class TensorflowSides : public TensorflowFixture {
 protected:
  void SetUp() override {
    TensorflowFixture::SetUp();
    if (!IsSkipped()) open(small_network());
  }
  void open(const tensorflow::Graph& graph) {
    graph_ = graph;
    const auto file = folder_.path() / "graph.pb";
    ASSERT_TRUE(write_file_atomic(file, graph.SerializeAsString()));
    auto opened = open_tensorflow_side(file, folder_.path(), {});
    ASSERT_TRUE(opened) << opened.error().text();
    side = std::move(*opened);
  }
  [[nodiscard]] int value(const std::string& tensor) const {
    const auto& values = side->network().values;
    const auto found = std::ranges::find(values, tensor, &NetworkValue::name);
    return found == values.end() ? -1 : static_cast<int>(found - values.begin());
  }
  [[nodiscard]] int layer(const std::string& name) const {
    return side->network().values[as_index(value(name + ":0"))].made_by;
  }

  Result<std::vector<NamedTensor>> run_job(const RunJob& job, const std::filesystem::path& sample) {
    auto session = runner()->load(job.model, job.session);
    if (!session) return tl::unexpected(session.error());
    return (*session)->run(read_pack(sample).value());
  }
  /// What the view shows, in the order of its values, and then the outputs.
  std::vector<Tensor> look(const SideView& view) {
    const auto sample = folder_.path() / "sample.pack";
    const std::vector<NamedTensor> inputs{{"x:0", counted_floats({1, 4, 4, 2})}};
    EXPECT_TRUE(write_pack(sample, inputs));
    const auto prepared = side->prepare(view, {sample}, folder_.path());
    EXPECT_TRUE(prepared) << prepared.error().text();
    if (!prepared) return {};
    job = prepared->job;
    const auto given = run_job(prepared->job, prepared->job.samples.at(0));
    EXPECT_TRUE(given) << given.error().text();
    if (!given) return {};
    std::vector<Tensor> found;
    for (const auto* names : {&prepared->names, &prepared->outputs})
      for (const std::string& name : *names)
        if (!name.empty()) found.push_back(*find_value(*given, name));
    return found;
  }
  Tensor output(const std::vector<Edit>& edits) { return look({.values = {}, .edits = edits}).at(0); }

  /// What the graph gives when a node of it is another one.
  Tensor by_hand(const std::string& name, const std::function<void(tensorflow::Node&)>& change) {
    tensorflow::Graph graph = graph_;
    for (auto& node : *graph.mutable_nodes())
      if (node.name() == name) change(node);
    return by_hand(graph);
  }
  Tensor by_hand(const tensorflow::Graph& graph) {
    auto session = runner()->load(ModelInMemory{graph.SerializeAsString(), {}}, {});
    EXPECT_TRUE(session) << session.error().text();
    const auto given = (*session)->run({{"x:0", counted_floats({1, 4, 4, 2})}});
    EXPECT_TRUE(given) << given.error().text();
    return *find_value(*given, "y:0");
  }
  static std::function<void(tensorflow::Node&)> constant(const Tensor& tensor) {
    return [tensor](tensorflow::Node& node) {
      (*node.mutable_attributes())["dtype"].set_type(tensorflow_type_of(tensor.dtype()).value());
      (*node.mutable_attributes())["value"].set_tensor(tensorflow_tensor(tensor).value());
    };
  }
  static std::function<void(tensorflow::Node&)> list(const std::string& name, std::initializer_list<int> numbers) {
    return [=](tensorflow::Node& node) {
      (*node.mutable_attributes())[name].Clear();
      set_integers(node, name, numbers);
    };
  }
  void expect_same(const Tensor& one, const Tensor& other) {
    EXPECT_TRUE(one.identical(other)) << to_string(one.shape()) << " " << to_string(other.shape());
  }

  TemporaryFolder folder_ = TemporaryFolder::create(::testing::TempDir(), "culprit-tensorflow-").value();
  tensorflow::Graph graph_;
  std::unique_ptr<Side> side;
  RunJob job;
};

using Ints = std::vector<std::int64_t>;

TEST_F(TensorflowSides, ShowValuesBesideTheOutputs) {
  const auto shown = look({.values = {value("conv:0"), value("relu:0")}});
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0].shape(), (Shape{1, 2, 2, 3}));
  for (std::int64_t i = 0; i < shown[1].count(); ++i) {
    const double biased = shown[0].number(i) + std::vector{0.5, -0.5, 1.0}[as_index(static_cast<int>(i % 3))];
    EXPECT_NEAR(shown[1].number(i), std::max(0.0, biased), 1e-5);
  }
  expect_same(shown[2], by_hand(graph_));
}

TEST_F(TensorflowSides, WhatIsFedIsUsed) {
  const Tensor fed = Tensor::of<float>({1, 2, 2, 3}, std::vector<float>(12, 7));
  const auto shown = look({.values = {value("pool:0")}, .feeds = {{value("relu:0"), {fed}}}});
  expect_same(shown.at(0), Tensor::of<float>({1, 1, 1, 3}, {7, 7, 7}));
  EXPECT_EQ(job.session.feed, std::vector<std::string>{"relu:0"});
  EXPECT_EQ(std::filesystem::hard_link_count(job.model), 2U) << "nothing is written for it";
  std::filesystem::remove(job.model);
  expect_same(look({.values = {value("pool:0")}, .feeds = {{value("relu:0"), {fed}}}}).at(0), shown.at(0));
}

TEST_F(TensorflowSides, WhatTheMakerOfAFedValueGivesStaysReadable) {
  const auto before = look({.values = {value("relu:0")}});
  const Tensor fed = Tensor::of<float>({1, 2, 2, 3}, std::vector<float>(12, 7));
  const auto shown = look({.values = {value("relu:0"), value("pool:0"), value("y:0")},
                           .feeds = {{value("relu:0"), {fed}}, {value("y:0"), {Tensor::of<float>({1, 2}, {1, 1})}}}});
  expect_same(shown.at(0), before.at(0));
  expect_same(shown.at(1), Tensor::of<float>({1, 1, 1, 3}, {7, 7, 7}));
  EXPECT_NE(shown.at(2).number(0), 1);
}

TEST_F(TensorflowSides, SomeLayersAloneNeedNothingElse) {
  const Tensor fed = Tensor::of<float>({1, 4, 4, 3}, std::vector<float>(48, 7));  // of another size than the relu's own
  const SideView view{
      .values = {value("pool:0")}, .feeds = {{value("relu:0"), {fed}}}, .only_layers = {{layer("pool")}}};
  EXPECT_EQ(look(view).at(0).shape(), (Shape{1, 2, 2, 3}));
  tensorflow::Graph written;
  ASSERT_TRUE(written.ParseFromString(read_file(job.model).value()));
  EXPECT_EQ(written.nodes_size(), 3) << "pool, what is fed, and the input";
  const auto refused =
      side->prepare({.values = {value("pool:0")}, .only_layers = {{layer("pool")}}}, {}, folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("'relu' is needed"));
}

TEST_F(TensorflowSides, AnInsertedLayerAlone) {
  InsertBehind edit;
  edit.value = value("relu:0");
  edit.layer.type = "Neg";
  const Tensor fed = Tensor::of<float>({1, 1, 1, 3}, {1, 2, 3});
  const auto shown = look({.values = {value("relu:0")},
                           .feeds = {{value("relu:0"), {fed}}},
                           .edits = {edit},
                           .only_layers = std::vector<int>{}});
  expect_same(shown.at(0), Tensor::of<float>({1, 1, 1, 3}, {-1, -2, -3}));
}

TEST_F(TensorflowSides, ConstantsAreSet) {
  const Tensor kernel = Tensor::of<float>({3, 3, 2, 3}, std::vector<float>(54, 0.25F));
  const Tensor wanted = by_hand("kernel", constant(kernel));
  expect_same(output({SetConstant{.value = value("kernel:0"), .tensor = kernel}}), wanted);
  expect_same(output({SetConstant{.value = -1, .tensor = kernel, .layer = layer("conv"), .at = 1}}), wanted);
  const Tensor bias = Tensor::of<float>({2}, {3, -3});
  tensorflow::Graph graph = graph_;
  add_constant(graph, "more", bias);
  add_floats(graph, "sum", "BiasAdd", {"mixed", "more"});
  for (auto& node : *graph.mutable_nodes())
    if (node.name() == "y") node.set_inputs(0, "sum");
  expect_same(output({SetConstant{.value = -1, .tensor = bias, .layer = layer("mixed"), .at = 2}}), by_hand(graph));
}

TEST_F(TensorflowSides, HyperParametersAreSet) {
  expect_same(output({SetHyper{layer("pool"), "kernel_shape", Ints{1, 1}}}),
              by_hand("pool", list("ksize", {1, 1, 1, 1})));
  expect_same(output({SetHyper{layer("flat"), "shape", Ints{1, 3}}}),
              by_hand("shape", constant(Tensor::of<std::int32_t>({2}, {1, 3}))));
  const auto padded = output(
      {SetHyper{layer("conv"), "auto_pad", std::string("NOTSET")}, SetHyper{layer("conv"), "pads", Ints{1, 1, 0, 0}}});
  expect_same(padded, by_hand("conv", [](tensorflow::Node& node) {
                (*node.mutable_attributes())["padding"].set_word("EXPLICIT");
                set_integers(node, "explicit_paddings", {0, 0, 1, 0, 1, 0, 0, 0});
              }));
  EXPECT_FALSE(padded.identical(by_hand(graph_)));
  const auto refused =
      side->prepare({.values = {}, .edits = {SetHyper{layer("relu"), "alpha", 0.5}}}, {}, folder_.path());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("Relu has no alpha"));
}

TEST_F(TensorflowSides, TypesAreExchanged) {
  expect_same(output({SetType{layer("relu"), "Tanh", {}}}), by_hand("relu", [](auto& node) { node.set_op("Tanh"); }));
  expect_same(output({SetType{layer("relu"), "Clip", {{"min", 0.0}, {"max", 6.0}}}}),
              by_hand("relu", [](auto& node) { node.set_op("Relu6"); }));
  const auto leaky = by_hand("relu", [](auto& node) {
    node.set_op("LeakyRelu");
    (*node.mutable_attributes())["alpha"].set_real(0.5F);
  });
  expect_same(output({SetType{layer("relu"), "LeakyRelu", {{"alpha", 0.5}}}}), leaky);
  EXPECT_FALSE(side->prepare({.values = {}, .edits = {SetType{layer("relu"), "Celu", {}}}}, {}, folder_.path()));
}

TEST_F(TensorflowSides, LayersAreLeftOutAndAdded) {
  const Tensor wanted = by_hand("relu", [](auto& node) { node.set_op("Identity"); });
  expect_same(output({Bypass{layer("relu")}}), wanted);
  InsertBehind edit;
  edit.value = value("biased:0");
  edit.layer.type = "Neg";
  tensorflow::Graph graph = graph_;
  add_floats(graph, "more", "Neg", {"biased"});
  for (auto& node : *graph.mutable_nodes())
    if (node.name() == "relu") node.set_inputs(0, "more");
  expect_same(output({edit}), by_hand(graph));
  expect_same(output({edit, edit}), by_hand(graph_));
  edit.users = {layer("relu")};
  expect_same(output({edit}), by_hand(graph));
  edit.layer.type = "MaxPool";
  edit.layer.hyper = {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{1, 1}}};
  EXPECT_EQ(look({.values = {value("relu:0")},
                  .feeds = {{value("pool:0"), {Tensor::of<float>({1, 1, 1, 3}, {1, 1, 1})}}},
                  .edits = {edit}})
                .at(0)
                .shape(),
            (Shape{1, 1, 1, 3}));
}

TEST_F(TensorflowSides, InputsAreCrossed) {
  expect_same(output({SetInput{layer("relu"), 0, value("conv:0")}}),
              by_hand("relu", [](auto& node) { node.set_inputs(0, "conv"); }));
}

TEST_F(TensorflowSides, SlicesAndPadsAreSet) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {-1, 4, 4, 2});
  add_constant(graph, "pads", Tensor::of<std::int32_t>({4, 2}, {0, 0, 0, 1, 2, 0, 0, 0}));
  add_constant(graph, "from", Tensor::of<std::int32_t>({2}, {0, 1}));
  add_constant(graph, "to", Tensor::of<std::int32_t>({2}, {1, 3}));
  add_constant(graph, "by", Tensor::of<std::int32_t>({2}, {1, 1}));
  auto& pad = add_floats(graph, "padded", "Pad", {"x", "pads"});
  (*pad.mutable_attributes())["Tpaddings"].set_type(tensorflow_int32);
  auto& slice = add_floats(graph, "y", "StridedSlice", {"padded", "from", "to", "by"});
  (*slice.mutable_attributes())["Index"].set_type(tensorflow_int32);
  (*slice.mutable_attributes())["end_mask"].set_integer(1);
  open(graph);
  expect_same(output({SetHyper{layer("padded"), "pads", Ints{0, 1, 0, 0, 0, 0, 2, 0}}}),
              by_hand("pads", constant(Tensor::of<std::int32_t>({4, 2}, {0, 0, 1, 0, 0, 2, 0, 0}))));
  expect_same(output({SetHyper{layer("y"), "ends", Ints{INT64_MAX, 2}}}),
              by_hand("to", constant(Tensor::of<std::int32_t>({2}, {0, 2}))));
}

}  // namespace
}  // namespace culprit
