#include "reduce/renumber.h"

#include "fakes.h"
#include "reduce/deltas/delta_list.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

const char* const numbered = R"(<ir_version: 8, opset_import: ["" : 13]>
g (float[2] "5", bool c) => (float[2] "9")
<float[2] "weight" = {1, 2}>
{
  "6" = Neg("5")
  "7" = If(c) <then_branch = yes () => (float[2] a) { a = Add("6", "weight") },
               else_branch = no () => (float[2] b) { b = Abs("6") }>
  "8" = Exp("7")
  "9" = Neg("8")
})";

Case a_case(const std::string& text) {
  return {std::make_shared<onnx::ModelProto>(parse_model(text)), {{{"5", Tensor::of<float>({2}, {1, 2})}}}};
}

/// What the nodes of the top graph make.
std::vector<std::string> made_by(const Case& found) {
  std::vector<std::string> names;
  for (const auto& node : found.model->graph().node()) names.push_back(node.output(0));
  return names;
}

TEST(Renumber, ValuesAreInputsInitializersAndWhatNodesMake) {
  EXPECT_EQ(values_in(*a_case(numbered).model), 7);
  EXPECT_TRUE(has_numbers(*a_case(numbered).model));
  EXPECT_FALSE(has_numbers(parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[2] x1) => (float[2] "_v_3") { "007" = Neg(x1) "_v_3" = Neg("007") })")));
}

TEST(Renumber, AllGoDownTogetherAsManyAsValuesWent) {
  const auto moved = renumbered(a_case(numbered), 10, Renumbering::together);
  ASSERT_TRUE(moved);
  EXPECT_THAT(made_by(*moved), ElementsAre("3", "4", "5", "6"));
  const auto& graph = moved->model->graph();
  EXPECT_EQ(graph.input(0).name(), "2");
  EXPECT_EQ(graph.initializer(0).name(), "weight");
  EXPECT_EQ(graph.output(0).name(), "6");
  EXPECT_EQ(graph.node(1).attribute(0).g().node(0).input(0), "3") << "bodies use it as well";
  EXPECT_EQ(moved->samples[0][0].name, "2") << "what is fed follows";
  EXPECT_FALSE(renumbered(a_case(numbered), 7, Renumbering::together)) << "none went";
}

TEST(Renumber, WhatWouldFallBelowOneIsNoNumberAnyMore) {
  const auto moved = renumbered(a_case(numbered), 14, Renumbering::together);
  ASSERT_TRUE(moved);
  EXPECT_THAT(made_by(*moved), ElementsAre("below_6", "below_7", "1", "2"));
}

TEST(Renumber, InARowTheyStandBehindTheCountOfValues) {
  const auto moved = renumbered(a_case(numbered), 7, Renumbering::in_a_row);
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->samples[0][0].name, "8");
  EXPECT_THAT(made_by(*moved), ElementsAre("9", "10", "11", "12"));
  EXPECT_FALSE(renumbered(*moved, 7, Renumbering::in_a_row)) << "they do already";
}

TEST(Renumber, NoTwoValuesGetOneName) {
  EXPECT_FALSE(renumbered(a_case(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] "5", bool c) => (float[2] y) {
      y = If(c) <then_branch = yes () => (float[2] "3") { "3" = Neg("5") },
                 else_branch = no () => (float[2] b) { b = Abs("5") }> })"),
                          5, Renumbering::together));
}

TEST(Renumber, ADeltaThatRenumbersDoesTheSameStepAndOnlyWhereThereAreNumbers) {
  const Case found = a_case(numbered);
  const Captured none(1);
  const Delta plain = bypass_nodes(), both = and_renumber(bypass_nodes(), Renumbering::together);
  EXPECT_EQ(both.name, "+renumber");
  EXPECT_TRUE(both.to_the_letter);
  const View view(found, none);
  ASSERT_EQ(both.count(view), plain.count(view));
  Captured values(1);
  for (const char* name : {"6", "7", "8", "9"}) values[0][name] = Tensor::of<float>({2}, {1, 2});
  const View told(found, values);
  bool stepped = false;
  for (std::size_t i = 0; i < plain.count(told); ++i) {
    const auto without = plain.apply(told, i, i + 1), with = both.apply(told, i, i + 1);
    if (!without || values_in(*without->model) == values_in(*found.model)) continue;
    stepped = true;
    ASSERT_TRUE(with);
    EXPECT_EQ(with->model->graph().node_size(), without->model->graph().node_size());
    EXPECT_NE(made_by(*with), made_by(*without));
  }
  EXPECT_TRUE(stepped);

  const Case named = a_case(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) {
      a = Neg(x) b = Neg(a) d = Neg(b) y = Neg(d) })");
  EXPECT_EQ(both.count(View(named, none)), 0U);
  EXPECT_TRUE(both.wants == nullptr || both.wants(*named.model).empty());
  const Case few = a_case(R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] "5") => (float[2] "8") {
      "6" = Neg("5") "7" = Neg("6") "8" = Neg("7") })");
  EXPECT_EQ(both.count(View(few, none)), 0U);
}

}  // namespace
}  // namespace culprit
