// A fault planted in a large real network is reduced to a few nodes, quickly.
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "model/model.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "support/twin.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

struct Network {
  const char* name;
  int at;  ///< the Conv before which the fault stands, of a hundred
};

onnx::NodeProto node(const char* op, const std::vector<std::string>& inputs, const char* output) {
  onnx::NodeProto made;
  made.set_op_type(op);
  for (const auto& input : inputs) made.add_input(input);
  made.add_output(output);
  return made;
}

void add_ints(onnx::NodeProto& node, const char* name, const std::vector<std::int64_t>& values) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INTS);
  for (const auto value : values) attribute->add_ints(value);
}

/// Neg -> Pad with zeros -> MaxPool of the same size: fuse_pad_into_pool pads the pool instead, which is with
/// -infinity.
void plant(onnx::ModelProto& model, int percent) {
  auto& graph = *model.mutable_graph();
  std::vector<int> convolutions;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (graph.node(i).op_type() == "Conv") convolutions.push_back(i);
  }
  const int at = convolutions.at(convolutions.size() * static_cast<std::size_t>(percent) / 100);
  std::vector<onnx::NodeProto> nodes(graph.node().begin(), graph.node().end());
  const std::string value = nodes[static_cast<std::size_t>(at)].input(0);
  nodes[static_cast<std::size_t>(at)].set_input(0, "planted_pool");
  onnx::NodeProto pad = node("Pad", {"planted_neg"}, "planted_pad");
  onnx::NodeProto pool = node("MaxPool", {"planted_pad"}, "planted_pool");
  const std::vector<std::int64_t> pads{0, 0, 1, 1, 0, 0, 1, 1};
  if (model.opset_import(0).version() < 11) {
    add_ints(pad, "pads", pads);
  } else {
    *graph.add_initializer() = to_proto(Tensor::of<std::int64_t>({8}, pads), "planted_pads");
    pad.add_input("planted_pads");
  }
  add_ints(pool, "kernel_shape", {3, 3});
  const std::vector<onnx::NodeProto> planted{node("Neg", {value}, "planted_neg"), pad, pool};
  nodes.insert(nodes.begin() + at, planted.begin(), planted.end());
  graph.clear_node();
  for (auto& one : nodes) *graph.add_node() = std::move(one);
}

class ReduceZoo : public ::testing::TestWithParam<Network> {};

TEST_P(ReduceZoo, APlantedFaultIsReducedToAFewNodes) {
  CULPRIT_ONE_OF(2);
  if (is_sanitized) GTEST_SKIP() << "the two minutes that a reduction may take are too short under sanitizers";
  if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  const auto folder = scratch();
  const fs::path twin = make_twin(zoo() / "models" / (std::string(GetParam().name) + ".onnx"), folder.path());
  onnx::ModelProto model = load_proto(twin).value();
  plant(model, GetParam().at);
  ASSERT_TRUE(save_model(model, folder.path() / "planted.onnx"));
  const fs::path out = folder.path() / "out" / "model.onnx";
  const Ran ran =
      culprit({"reduce", folder.path() / "planted.onnx", "--passes", "fuse_pad_into_pool", "-o", out, "--verbose"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto reduced = load_model(out);
  ASSERT_TRUE(reduced);
  EXPECT_LE(reduced->facts.nodes, 5) << ran.out;
  EXPECT_EQ(culprit_check({out, "--passes", "fuse_pad_into_pool"}).exit, 1);
}

INSTANTIATE_TEST_SUITE_P(Networks, ReduceZoo,
                         ::testing::Values(Network{"light-densenet121-9", 60}, Network{"ultraface-rfb-320-9", 40}),
                         [](const auto& parameter) { return parameter.param.at == 60 ? "densenet121" : "ultraface"; });

}  // namespace
}  // namespace culprit::testing
