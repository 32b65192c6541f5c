#include "fakes.h"
#include "reduce/all_deltas.h"
#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

const char* const convolution = R"(<ir_version: 8, opset_import: ["" : 17, "unused" : 1],
  producer_name: "somebody", metadata_props: ["key" : "value"]>
agraph (float[2,4,6,6] x) => (float[2,4,6,6] y, float[2,4,6,6] other)
<float[4,4,3,3] w = {WEIGHTS}, float[4] b = {1, 2, 3, 4}, int64[4] shape = {2, 4, 6, 6}>
{
  conv = Conv<pads = [1, 1, 1, 1], kernel_shape = [3, 3]>(x, w, b)
  r = Relu(conv)
  s = Reshape(r, shape)
  y = Abs(s)
  other = Neg(r)
})";

Tensor numbers(const Shape& shape) {
  const auto count = static_cast<std::size_t>(element_count(shape).value());
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) + 2;
  return Tensor::of<float>(shape, values);
}

struct Fixed {
  Case a_case;
  Captured values;
  [[nodiscard]] View view() const { return {a_case, values}; }
};

Fixed with_convolution() {
  std::string text = convolution, weights = "0";
  for (int i = 1; i < 144; ++i) weights += ", " + std::to_string(i);
  text.replace(text.find("WEIGHTS"), 7, weights);
  auto model = std::make_shared<onnx::ModelProto>(parse_model(text));
  Fixed fixed{{std::move(model), {{{"x", numbers({2, 4, 6, 6})}}}}, Captured(1)};
  for (const char* name : {"conv", "r", "s", "y", "other"}) fixed.values[0][name] = numbers({2, 4, 6, 6});
  return fixed;
}

const char* const branches = R"(<ir_version: 8, opset_import: ["" : 17]>
agraph (bool c, float[2] x) => (float[2] y)
<float[2] w = {1, 2}>
{
  d = Exp(x)
  i = If(c) <then_branch = yes () => (float[2] a) { t = Add(d, w) a = Neg(t) },
             else_branch = no () => (float[2] b) { b = Relu(d) }>
  y = Abs(i)
})";

Fixed with_branches() {
  Fixed fixed{{std::make_shared<onnx::ModelProto>(parse_model(branches)),
               {{{"c", Tensor::from_bytes(DType::boolean, {}, {std::byte{1}}).value()}, {"x", numbers({2})}}}},
              Captured(1)};
  for (const char* name : {"d", "i", "y"}) fixed.values[0][name] = numbers({2});
  return fixed;
}

/// A Loop whose body holds an If, and a Scan, both over what lies around.
const char* const turns = R"(<ir_version: 8, opset_import: ["" : 17]>
agraph (int64 n, float[2] x, float[3,2] xs) => (float[2] z, float[2] last)
<float[2] w = {1, 2}>
{
  d = Exp(x)
  y, ys = Loop(n, , d) <body = turn (int64 i, bool c, float[2] v) => (bool c2, float[2] v2, float[2] o)
                        <int64 five = {5}>
  {
    c2 = Identity(c)
    late = Equal(i, five)
    o = If(late) <then_branch = yes () => (float[2] a) { t = Add(v, w) a = Neg(t) },
                  else_branch = no () => (float[2] b) { b = Relu(v) }>
    v2 = Sub(v, d)
  }>
  last, all = Scan(y, xs) <num_scan_inputs = 1, body = step (float[2] s, float[2] e) => (float[2] s2, float[2] m)
  {
    s2 = Add(s, e)
    m = Mul(s2, w)
  }>
  z = Abs(y)
})";

Fixed with_turns() {
  Fixed fixed{{std::make_shared<onnx::ModelProto>(parse_model(turns)),
               {{{"n", Tensor::of<std::int64_t>({}, {6})}, {"x", numbers({2})}, {"xs", numbers({3, 2})}}}},
              Captured(1)};
  for (const char* name : {"d", "last", "z"}) fixed.values[0][name] = numbers({2});
  fixed.values[0]["y"] = Tensor::of<float>({2}, {70, 71});
  fixed.values[0]["ys"] = numbers({6, 2});
  fixed.values[0]["all"] = numbers({3, 2});
  fixed.values[0]["v2"] = Tensor::of<double>({2}, {50, 51});  // as values in bodies are read
  return fixed;
}

std::vector<std::string> operators(const Case& a_case) {
  std::vector<std::string> found;
  for (const auto& node : a_case.model->graph().node()) found.push_back(node.op_type());
  return found;
}

/// Every name that is used was made, and none is made twice.
void expect_sound(const Case& a_case, const std::string& what) {
  const auto& graph = a_case.model->graph();
  Words known;
  for (const auto& tensor : graph.initializer()) EXPECT_TRUE(known.insert(tensor.name()).second) << what;
  for (const auto& input : graph.input()) known.insert(input.name());
  for (const auto& node : graph.node()) {
    for (const auto& name : used_by(node)) EXPECT_THAT(known, Contains(name)) << what;
    for (const auto& name : node.output()) EXPECT_TRUE(name.empty() || known.insert(name).second) << what << name;
  }
  EXPECT_GT(graph.output_size(), 0) << what;
  for (const auto& output : graph.output()) EXPECT_THAT(known, Contains(output.name())) << what;
  for (const Inputs& sample : a_case.samples) {
    Words fed;
    for (const auto& input : sample) fed.insert(input.name);
    for (const auto& input : graph.input()) EXPECT_THAT(fed, Contains(input.name())) << what;
    EXPECT_EQ(fed.size(), static_cast<std::size_t>(graph.input_size())) << what;
  }
}

TEST(Deltas, WhateverTheyMakeIsSound) {
  for (const Fixed& fixed : {with_convolution(), with_branches(), with_turns()}) {
    std::size_t made = 0;
    for (const Delta& delta : all_deltas({"r", "i"})) {
      const std::size_t count = delta.count(fixed.view());
      for (std::size_t first = 0; first < count; ++first) {
        for (std::size_t last = first + 1; last <= (delta.way == Delta::Way::listed ? first + 1 : count); ++last) {
          const auto candidate = delta.apply(fixed.view(), first, last);
          if (candidate) expect_sound(*candidate, delta.name + " ");
          made += candidate ? 1 : 0;
        }
      }
    }
    EXPECT_GT(made, 60U);
  }
}

Words names_of(const std::vector<Delta>& deltas) {
  Words names;
  for (const Delta& delta : deltas) names.insert(delta.name);
  return names;
}

TEST(Deltas, AreAllNamedAndDescribed) {
  const std::vector<Delta> all = all_deltas({"x"});
  const Words names = names_of(all);
  EXPECT_EQ(names.size(), all.size()) << "no name twice";
  for (const DeltaEntry& entry : delta_entries()) {
    EXPECT_THAT(names, Contains(std::string(entry.name)));
    EXPECT_FALSE(entry.description.empty()) << entry.name;
  }
}

TEST(Deltas, RunInTheOrderOfTheTable) {
  std::vector<std::string> names;
  for (const Delta& delta : all_deltas({"x"})) names.push_back(delta.name);
  EXPECT_THAT(
      names, ElementsAre("drop_samples", "cut_around", "cut_windows", "cut_around+renumber", "cut_windows+renumber",
                         "cut_around+number_anew", "cut_windows+number_anew", "lift_bodies", "inline_branches",
                         "drop_outputs", "drop_nodes", "fold_nodes", "bypass_nodes", "fold_bodies", "drop_operands",
                         "shrink_sizes", "fill_zeros", "fill_ones", "drop_attributes", "strip", "drop_outputs+renumber",
                         "drop_nodes+renumber", "fold_nodes+renumber", "bypass_nodes+renumber",
                         "drop_operands+renumber", "drop_outputs+number_anew", "drop_nodes+number_anew",
                         "fold_nodes+number_anew", "bypass_nodes+number_anew", "drop_operands+number_anew"));
}

TEST(Deltas, OnlyThoseNamedRunAndInTheOrderOfTheTable) {
  std::vector<std::string> names;
  const std::vector<std::string> only = {"strip", "fold_nodes", "cut_around"};
  for (const Delta& delta : all_deltas({}, only)) names.push_back(delta.name);
  EXPECT_THAT(names, ElementsAre("fold_nodes", "strip", "fold_nodes+renumber", "fold_nodes+number_anew"));
  EXPECT_EQ(all_deltas({"x"}, only).front().name, "cut_around") << "it needs values";
}

/// What the only place, or the places [first, last), make of it.
Case after(const Delta& delta, const Fixed& fixed, std::size_t first, std::size_t last) {
  return delta.apply(fixed.view(), first, last).value();
}

TEST(Deltas, DroppedOutputsTakeWithThemWhatOnlyTheyNeed) {
  EXPECT_THAT(operators(after(drop_outputs(), with_convolution(), 0, 1)), ElementsAre("Conv", "Relu", "Neg"));
  EXPECT_FALSE(drop_outputs().apply(with_convolution().view(), 0, 2)) << "one stays";
}

TEST(Deltas, DroppedNodesAreFed) {
  EXPECT_THAT(operators(after(drop_nodes(), with_convolution(), 0, 2)), ElementsAre("Reshape", "Abs", "Neg"));
}

TEST(Deltas, WindowsAreSoughtOnlyInLargeModels) {
  EXPECT_EQ(cut_windows().count(with_convolution().view()), 0U);
  Fixed large{{std::make_shared<onnx::ModelProto>(), {{}}}, Captured(1)};
  auto model = std::make_shared<onnx::ModelProto>();
  for (int i = 0; i < 100; ++i) {
    auto* node = model->mutable_graph()->add_node();
    node->set_op_type("Relu");
    if (i > 0) node->add_input("v" + std::to_string(i - 1));
    node->add_output("v" + std::to_string(i));
  }
  large.a_case.model = model;
  const auto wanted = cut_windows().wants(*model);
  EXPECT_LE(wanted.size(), 12U) << "only where it cuts";
  for (const auto& name : wanted) large.values[0][name] = numbers({2});
  EXPECT_FALSE(wanted.empty());
  EXPECT_EQ(after(cut_windows(), large, 2, 3).model->graph().node_size(), 50) << "the middle half";
}

TEST(Deltas, TheBallAroundAValueGrows) {
  const Delta ball = cut_around({"s"});
  EXPECT_THAT(operators(after(ball, with_convolution(), 0, 1)), ElementsAre("Reshape"));
  EXPECT_THAT(operators(after(ball, with_convolution(), 1, 2)), ElementsAre("Relu", "Reshape", "Abs"));
  EXPECT_THAT(operators(after(ball, with_convolution(), 2, 3)), ElementsAre("Conv", "Relu", "Reshape", "Abs", "Neg"));
}

TEST(Deltas, BypassedNodesNeedTheSameForm) {
  const Fixed fixed = with_convolution();
  Words seen;
  for (std::size_t i = 0; i < bypass_nodes().count(fixed.view()); ++i) {
    for (const auto& op : operators(after(bypass_nodes(), fixed, i, i + 1))) seen.insert(op);
    EXPECT_EQ(operators(after(bypass_nodes(), fixed, i, i + 1)).size(), 4U);
  }
  const Case all = after(bypass_nodes(), fixed, 0, bypass_nodes().count(fixed.view()));
  EXPECT_LE(operators(all).size(), 3U);
}

TEST(Deltas, BranchesAreInlined) {
  EXPECT_THAT(operators(after(inline_branches(), with_branches(), 0, 1)), ElementsAre("Exp", "Add", "Neg", "Abs"));
  EXPECT_THAT(operators(after(inline_branches(), with_branches(), 1, 2)), ElementsAre("Exp", "Relu", "Abs"));
}

TEST(Deltas, BranchesInBodiesAreInlinedThere) {
  const Case made = after(inline_branches(), with_turns(), 1, 2);
  const auto& body = made.model->graph().node(1).attribute(0).g();
  EXPECT_EQ(body.node(1).op_type(), "Relu") << "the Equal goes with the If";
  EXPECT_EQ(body.node(1).output(0), "o");
  EXPECT_EQ(body.initializer_size(), 0);
}

/// What a case feeds, by name.
std::map<std::string, Tensor> fed(const Case& a_case) {
  std::map<std::string, Tensor> values;
  for (const NamedTensor& input : a_case.samples.front()) values[input.name] = input.value;
  return values;
}

TEST(Deltas, ATurnOfALoopIsLifted) {
  ASSERT_EQ(lift_bodies().count(with_turns().view()), 7U) << "five of the Loop, two of the Scan";
  const Case first = after(lift_bodies(), with_turns(), 0, 1);
  EXPECT_THAT(operators(first), ElementsAre("Identity", "Equal", "If", "Sub"));
  EXPECT_EQ(fed(first)["i"].number(0), 0);
  EXPECT_EQ(fed(first)["c"].number(0), 1);
  EXPECT_TRUE(fed(first)["v"].identical(numbers({2})));
  EXPECT_TRUE(fed(first).contains("d")) << "of the graph around, captured";
  EXPECT_FALSE(fed(first).contains("n"));
  const Case second = after(lift_bodies(), with_turns(), 2, 3);
  EXPECT_EQ(fed(second)["i"].number(0), 1);
  EXPECT_TRUE(fed(second)["v"].identical(Tensor::of<float>({2}, {50, 51}))) << "what the first turn made";
  const Case last = after(lift_bodies(), with_turns(), 4, 5);
  EXPECT_EQ(fed(last)["i"].number(0), 5);
  EXPECT_EQ(fed(last)["v"].number(0), 70) << "what the Loop left behind";
}

TEST(Deltas, ATurnOfAScanIsLifted) {
  const Case last = after(lift_bodies(), with_turns(), 6, 7);
  EXPECT_THAT(operators(last), ElementsAre("Add", "Mul"));
  EXPECT_EQ(fed(last)["s"].number(0), 70);
  EXPECT_EQ(to_string(fed(last)["e"].shape()), "[2]") << "one slice, without the axis";
  EXPECT_EQ(fed(last)["e"].number(0), 6);
  EXPECT_EQ(last.model->graph().initializer_size(), 1) << "w";
}

TEST(Deltas, ASizeShrinksInBodiesToo) {
  const Fixed fixed = with_turns();
  bool changed = false, opened = false;
  for (std::size_t i = 0; i < shrink_sizes().count(fixed.view()); ++i) {
    const Case made = after(shrink_sizes(), fixed, i, i + 1);
    if (made.model->graph().input(1).type().tensor_type().shape().dim(0).dim_value() != 1) continue;
    const auto& input = made.model->graph().node(1).attribute(0).g().input(2);
    const auto& size = input.type().tensor_type().shape().dim(0);
    changed = changed || size.dim_value() == 1;
    opened = opened || !size.has_dim_value();
    EXPECT_NE(size.dim_value(), 2) << "declared as it was";
  }
  EXPECT_TRUE(changed && opened);
}

TEST(Deltas, WhatABranchMakesBecomesZeros) {
  const Case folded = after(fold_bodies(), with_branches(), 0, 1);
  const auto& branch = folded.model->graph().node(1).attribute(0).g();
  EXPECT_EQ(branch.node_size(), 0);
  EXPECT_EQ(branch.initializer_size(), 1);
}

TEST(Deltas, OptionalOperandsGo) {
  const Case made = after(drop_operands(), with_convolution(), 1, 2);
  EXPECT_EQ(made.model->graph().node(0).input_size(), 2) << "the bias";
  EXPECT_EQ(made.model->graph().initializer_size(), 2);
}

TEST(Deltas, ASizeShrinksWhereverItOccurs) {
  const Fixed fixed = with_convolution();
  bool found = false;
  for (std::size_t i = 0; i < shrink_sizes().count(fixed.view()); ++i) {
    const Case made = after(shrink_sizes(), fixed, i, i + 1);
    if (made.samples[0][0].value.shape() != Shape{2, 1, 6, 6}) continue;
    if (made.model->graph().initializer(1).dims(0) != 1) continue;  // of one input's axis alone
    found = true;
    const auto& weights = made.model->graph().initializer(0);
    EXPECT_EQ(weights.dims(0), 1);
    EXPECT_EQ(weights.dims(1), 1);
    EXPECT_EQ(weights.dims(2), 3);
    EXPECT_EQ(made.samples[0][0].value.as<float>()[36], 146) << "the first of the second batch";
  }
  EXPECT_TRUE(found);
}

TEST(Deltas, TensorsBecomeZerosAndOnes) {
  const Case zeros = after(fill_zeros(), with_convolution(), 0, fill_zeros().count(with_convolution().view()));
  EXPECT_EQ(size_of(zeros).unlike_zero, 0);
  const Case ones = after(fill_ones(), with_convolution(), 3, 4);
  EXPECT_EQ(ones.samples[0][0].value.as<float>()[7], 1);
}

TEST(Deltas, AttributesFallBackToTheirDefaults) {
  EXPECT_EQ(after(drop_attributes(), with_convolution(), 0, 2).model->graph().node(0).attribute_size(), 0);
}

TEST(Deltas, StripsWhatMeansNothing) {
  const Fixed fixed = with_convolution();
  const Case made = after(strip(), fixed, 0, strip().count(fixed.view()));
  EXPECT_EQ(made.model->producer_name(), "");
  EXPECT_EQ(made.model->metadata_props_size(), 0);
  EXPECT_EQ(made.model->opset_import_size(), 1);
  EXPECT_EQ(key_of(made, false) == key_of(fixed.a_case, false), false) << "operator sets are part of the meaning";
}

TEST(Deltas, SamplesGo) {
  Fixed fixed = with_convolution();
  fixed.a_case.samples.push_back(fixed.a_case.samples[0]);
  EXPECT_EQ(after(drop_samples(), fixed, 0, 1).samples.size(), 1U);
  EXPECT_FALSE(drop_samples().apply(fixed.view(), 0, 2));
}

}  // namespace
}  // namespace culprit
