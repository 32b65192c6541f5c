// Models that are damaged on purpose: nothing may crash, hang or come out as a negative cost.

#include <gtest/gtest.h>
#include <onnx/defs/schema.h>

#include <cstdlib>
#include <random>

#include "cost/graph_record.h"
#include "cost/planned_memory.h"
#include "cost_of.h"

namespace culprit {
namespace {

/// Of each model; CULPRIT_DRAWS in the environment takes more.
unsigned draws() {
  const char* asked = std::getenv("CULPRIT_DRAWS");
  return asked == nullptr ? 300 : static_cast<unsigned>(std::atoi(asked));
}

const std::vector<std::string>& graphs() {
  static const std::vector<std::string> all = {
      "(float[1,3,8,8] x, float[4,3,3,3] w, float[4] b) => (float[n] y) "
      "{ a = Conv <strides = [2,2], pads = [1,1,1,1], auto_pad = \"NOTSET\", group = 1> (x, w, b) "
      "c = MaxPool <kernel_shape = [2,2], strides = [1,1], ceil_mode = 1> (a) d = Softmax <axis = 1> (c) y = LRN <size "
      "= 3> (d) }",
      "(float[1,4,8,8] x) => (float[n] y) <int64[4] p = {0, 2, 1, 3}, int64[2] s = {-1, 2}, int64[1] k = {2}> "
      "{ a = DepthToSpace <blocksize = 2> (x) b = Transpose <perm = [0,2,3,1]> (a) c = Reshape (b, s) d, e = TopK (c, "
      "k) "
      "f = Tile (d, k) g, h = Split <axis = 1> (d) y = Concat <axis = 0> (g, h) }",
      "(float[5,1,2] x, float[1,12,2] w, float[1,12,3] r) => (float[n] y) <int64[1] z = {0}, float[4] f = {1,1,2,2}> "
      "{ a, b, c = LSTM <hidden_size = 3, layout = 0> (x, w, r) d = Squeeze (b, z) e = Unsqueeze (d, z) "
      "g = Einsum <equation = \"...ij,...kj->...ik\"> (e, e) h = Expand (g, z) y = Resize <mode = \"linear\"> (a, , f) "
      "}",
      "(bool c, float[5] x) => (float[n] y) <int64 m = {7}, int64[1] i = {3}> { s = Shape (x) t = Gather <axis = 0> "
      "(s, i) "
      "u = ConstantOfShape (i) v = Slice (x, i, s) w = Range (m, m, m) "
      "y = If (c) <then_branch = a () => (float[n] p) { p = Loop (m, , x) <body = b (int64 j, bool on, float[k] q) => "
      "(bool again, "
      "float[k] o) { again = Identity (on) o = Exp (q) }> }, else_branch = e () => (float[n] z) { z = Neg (v) }> }",
      "(float[7,5] x, float[5] s, uint8[1,3,8,8] q, float qs, uint8 qz, uint8[4,3,3,3] w) => (float[n] y) { y, all = "
      "Scan <num_scan_inputs = 1, "
      "scan_input_axes = [0], body = b (float[k] before, float[k] row) => (float[k] after, float[k] out) "
      "{ after = Add (before, row) out = Exp (after) }> (s, x) r = QLinearConv (q, qs, qz, w, qs, qz, qs, qz) "
      "l = com.microsoft.FusedMatMul <transA = 1> (x, x) o = com.microsoft.FusedConv <activation = \"Relu\"> (x, x) "
      "cr = Crop <border = [1,1,1,1]> (q) ri = com.microsoft.nchwc.ReorderInput <channels_last = 1> (x) "
      "at = com.microsoft.Attention <num_heads = 2> (x, x, s) d = DFT (x) st = STFT (x, s, s) }",
  };
  return all;
}

/// Numbers that have made programs fall.
std::int64_t odd_number(std::mt19937& random) {
  constexpr std::int64_t odd[] = {0,
                                  1,
                                  -1,
                                  2,
                                  3,
                                  64,
                                  65,
                                  4096,
                                  -2147483648,
                                  2147483647,
                                  std::int64_t{1} << 40,
                                  std::numeric_limits<std::int64_t>::max(),
                                  std::numeric_limits<std::int64_t>::min()};
  return odd[random() % std::size(odd)];
}

/// Changes one field somewhere below: a number, a text, or whether it is there. Walks by reflection, so nothing is
/// spared.
void damage(google::protobuf::Message& message, std::mt19937& random) {
  const auto* reflection = message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  if (fields.empty()) return;
  const auto* field = fields[random() % fields.size()];
  using Field = google::protobuf::FieldDescriptor;
  if (field->is_repeated()) {
    const int size = reflection->FieldSize(message, field);
    const int at = static_cast<int>(random() % static_cast<unsigned>(size));
    if (random() % 8 == 0) return reflection->RemoveLast(&message, field);
    if (random() % 8 == 0) return reflection->SwapElements(&message, field, 0, at);
    if (field->cpp_type() == Field::CPPTYPE_MESSAGE)
      return damage(*reflection->MutableRepeatedMessage(&message, field, at), random);
    if (field->cpp_type() == Field::CPPTYPE_INT64)
      return reflection->SetRepeatedInt64(&message, field, at, odd_number(random));
    if (field->cpp_type() == Field::CPPTYPE_STRING)
      return reflection->SetRepeatedString(&message, field, at, random() % 2 == 0 ? "" : "x");
    return;
  }
  if (random() % 16 == 0) return reflection->ClearField(&message, field);
  if (field->cpp_type() == Field::CPPTYPE_MESSAGE) return damage(*reflection->MutableMessage(&message, field), random);
  if (field->cpp_type() == Field::CPPTYPE_INT64) return reflection->SetInt64(&message, field, odd_number(random));
  if (field->cpp_type() == Field::CPPTYPE_INT32)
    return reflection->SetInt32(&message, field, static_cast<std::int32_t>(random() % 25));
  if (field->cpp_type() == Field::CPPTYPE_STRING) {
    const std::string text = reflection->GetString(message, field);
    return reflection->SetString(&message, field, random() % 2 == 0 ? text.substr(0, text.size() / 2) : "x");
  }
}

/// A value of the type that the schema asks for, and odd.
void add_odd_attribute(onnx::NodeProto& node, const onnx::OpSchema::Attribute& wanted, std::mt19937& random) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(wanted.name);
  attribute.set_type(wanted.type);
  attribute.set_i(odd_number(random));
  attribute.set_f(static_cast<float>(odd_number(random)));
  attribute.set_s(random() % 2 == 0 ? "linear" : "ij,jk->ikz");
  if (wanted.type == onnx::AttributeProto::INTS) {
    for (auto count = random() % 6; count > 0; --count) attribute.add_ints(random() % 2 == 0 ? 1 : odd_number(random));
  }
  if (wanted.type == onnx::AttributeProto::TENSOR) {
    auto& tensor = *attribute.mutable_t();
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_dims(odd_number(random));
    tensor.set_raw_data("12345678901");
  }
}

/// Any operator that ONNX knows in the place of one, on its inputs.
void exchange_operators(onnx::GraphProto& graph, std::mt19937& random) {
  static const auto schemas = onnx::OpSchemaRegistry::get_all_schemas();
  if (graph.node_size() == 0) return;
  auto& node = *graph.mutable_node(static_cast<int>(random() % static_cast<unsigned>(graph.node_size())));
  const auto& schema = schemas[random() % schemas.size()];
  node.set_op_type(schema.Name());
  node.set_domain(schema.domain());
  node.clear_attribute();
  for (const auto& [name, wanted] : schema.attributes()) {
    if (wanted.required || random() % 2 == 0) add_odd_attribute(node, wanted, random);
  }
  const auto one_input = node.input_size() > 0 ? node.input(0) : "x";
  while (node.input_size() < schema.min_input()) node.add_input(random() % 2 == 0 ? one_input : "i");
  while (node.input_size() > schema.max_input()) node.mutable_input()->RemoveLast();
  while (node.output_size() < schema.min_output()) node.add_output("more" + std::to_string(node.output_size()));
  while (node.output_size() > schema.max_output()) node.mutable_output()->RemoveLast();
}

void expect_sane(const onnx::ModelProto& proto, const InputShapes& shapes) {
  Model model;
  model.proto = std::shared_ptr<const onnx::ModelProto>(std::shared_ptr<void>(), &proto);
  const TypedGraph graph = typed_graph(proto, shapes);
  const GraphRecord record = graph_record(model, graph);
  EXPECT_GE(record.flops.value_or(0), 0) << proto.DebugString();
  EXPECT_GE(record.moved.value_or(0), 0) << proto.DebugString();
  EXPECT_GE(record.nodes_uncounted, 0);
  planned_memory(graph);
}

TEST(Hostile, ModelsHaveSaneCostsOrNone) {
  for (std::size_t which = 0; which < graphs().size(); ++which) {
    for (const int opset : {9, 13, 17, 21}) {
      const onnx::ModelProto whole = model_of(graphs()[which], opset);
      for (unsigned draw = 0; draw < draws(); ++draw) {
        std::mt19937 random(draw * 128 + static_cast<unsigned>(which) * 24 + static_cast<unsigned>(opset));
        onnx::ModelProto model = whole;
        for (auto times = random() % 6; times > 0; --times) damage(model, random);
        if (draw % 2 == 0) exchange_operators(*model.mutable_graph(), random);
        expect_sane(model, draw % 3 == 0 ? InputShapes{{"x", {odd_number(random), 3, 8}}} : InputShapes{});
      }
    }
  }
}

TEST(Hostile, AnEmptyModelCostsNothing) {
  const NodeCosts costs = node_costs(onnx::ModelProto(), InputShapes{});
  EXPECT_EQ(costs.flops, 0);
  EXPECT_EQ(costs.nodes_uncounted, 0);
}

/// ONNX's inference divides by it.
TEST(Hostile, AStrideOfZeroIsUncounted) {
  EXPECT_EQ(cost_of("(float[1,3,8,8] x, float[4,3,3,3] w) => (float[n] y) { y = Conv <strides = [0,2]> (x, w) }")
                .nodes_uncounted,
            1);
}

/// ... reads beyond the sizes of the input, and takes the stride away 2^39 times.
TEST(Hostile, OddWeightsAndSizesAreUncounted) {
  EXPECT_EQ(cost_of("(float[1,3,8] x, float[4,3,3,3,3] w) => (float[n] y) { y = Conv (x, w) }").nodes_uncounted, 1);
  EXPECT_EQ(cost_of("(float[1,3,1099511627776] x, float[4,3,3] w) => (float[n] y) "
                    "{ y = Conv <strides = [2], auto_pad = \"SAME_UPPER\"> (x, w) }")
                .nodes_uncounted,
            1);
  EXPECT_EQ(cost_of("(float[1] x, int64[1099511627776] s) => (float[n] y) { y = Expand (x, s) }").nodes_uncounted, 1);
}

TEST(Hostile, CostsThatNoNumberHoldsAreUncounted) {
  const std::string shape =
      "281474976710656,281474976710656,281474976710656,281474976710656,281474976710656,281474976710656,"
      "281474976710656";  // 2^48 each
  const NodeCosts costs =
      cost_of("(float[" + shape + "," + shape + "," + shape + "," + shape + "] x) => (float[n] y) { y = Exp (x) }");
  EXPECT_EQ(costs.nodes_uncounted, 1);
}

}  // namespace
}  // namespace culprit
