#include "model/interface_binding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Dim fixed(std::int64_t size) { return {size, ""}; }
Dim symbol(std::string name) { return {std::nullopt, std::move(name)}; }

ValueInfo value(std::string name, std::vector<Dim> dims = {fixed(2)}, DType type = DType::f32) {
  ValueInfo info;
  info.name = std::move(name);
  info.dtype = type;
  info.has_shape = true;
  info.dims = std::move(dims);
  return info;
}

const Interface two_in_two_out{{value("a"), value("b")}, {}, {value("y"), value("z")}};

std::string complaint(const Interface& original, const Interface& variant, Contract contract = Contract::equivalent) {
  const auto bound = bind(original, variant, contract);
  return bound ? "bound" : bound.error().message;
}

TEST(Bind, TheSameInterfaceBindsByName) {
  const auto bound = bind(two_in_two_out, two_in_two_out, Contract::equivalent);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_TRUE(bound->by_name);
  EXPECT_THAT(bound->outputs, ElementsAre(0, 1));
  ASSERT_EQ(bound->inputs.size(), 2U);
  EXPECT_EQ(bound->inputs[1].original, "b");
  EXPECT_EQ(bound->inputs[1].variant, "b");
  EXPECT_EQ(bound->inputs[1].cast_to, DType::undefined);
}

TEST(Bind, RenamesAreForTheInterfaceContractOnly) {
  const Interface renamed{{value("in_0"), value("in_1")}, {}, {value("out_0"), value("out_1")}};
  EXPECT_EQ(complaint(two_in_two_out, renamed), "input 'a' is gone");
  const auto bound = bind(two_in_two_out, renamed, Contract::interface);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_FALSE(bound->by_name);
  EXPECT_EQ(bound->inputs[1].original, "b");
  EXPECT_EQ(bound->inputs[1].variant, "in_1");
  EXPECT_THAT(bound->outputs, ElementsAre(0, 1));
}

TEST(Bind, OneSideMayBeRenamedAlone) {
  const Interface renamed{{value("b"), value("a")}, {}, {value("out_0"), value("out_1")}};
  const auto bound = bind(two_in_two_out, renamed, Contract::interface);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->inputs[0].variant, "a") << "names exist, so they decide";
}

TEST(Bind, SizesThatTheModelDoesNotKeepToAreThoseThatItGives) {
  const Interface declared{{value("a")}, {}, {value("y", {fixed(3), fixed(4)}), value("z")}};
  const auto other = [](std::int64_t rows, std::int64_t columns) {
    return Interface{{value("a")}, {}, {value("y", {fixed(rows), fixed(columns)}), value("z")}};
  };
  EXPECT_THAT(complaint(declared, other(1, 4)), HasSubstr("output 'y' became float32[1,4]"));
  const NamedTensor z{"z", Tensor::of<float>({2}, {1, 2})};
  const NamedTensor one_row{"y", Tensor::of<float>({1, 4}, {1, 2, 3, 4})};
  const Interface given = with_true_sizes(declared, {{one_row, z}});
  EXPECT_EQ(complaint(given, other(1, 4)), "bound");
  EXPECT_THAT(complaint(given, other(2, 4)), HasSubstr("output 'y' became")) << "another false size";
  EXPECT_THAT(complaint(given, other(1, 5)), HasSubstr("output 'y' became")) << "the other size was true";
  const NamedTensor two_rows{"y", Tensor::of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})};
  EXPECT_EQ(complaint(with_true_sizes(declared, {{one_row, z}, {two_rows, z}}), other(7, 4)), "bound") << "it varies";
}

TEST(Bind, ARankThatTheModelDoesNotKeepToIsTheOneThatItGives) {
  const Interface declared{{value("a")}, {}, {value("y", {fixed(3), fixed(4)})}};
  const Interface flat{{value("a")}, {}, {value("y", {fixed(2)})}};
  EXPECT_EQ(complaint(with_true_sizes(declared, {{{"y", Tensor::of<float>({2}, {1, 2})}}}), flat), "bound");
  EXPECT_EQ(with_true_sizes(declared, {}), declared);
}

TEST(Bind, ByPositionAsksForCountAndRank) {
  const Interface fewer{{value("in_0")}, {}, {value("y"), value("z")}};
  EXPECT_EQ(complaint(two_in_two_out, fewer, Contract::interface), "there are 1 inputs (were 2)");
  const Interface other_rank{{value("in_0"), value("in_1", {fixed(1), fixed(2)})}, {}, {value("y"), value("z")}};
  EXPECT_THAT(complaint(two_in_two_out, other_rank, Contract::interface), HasSubstr("input 'b' became"));
}

TEST(Bind, ACastInputIsForTheInterfaceContractOnly) {
  const Interface original{{value("ids", {fixed(4)}, DType::i64)}, {}, {value("y")}};
  const Interface cast{{value("ids", {fixed(4)}, DType::i32)}, {}, {value("y")}};
  EXPECT_THAT(complaint(original, cast), HasSubstr("input 'ids' became int32"));
  const auto bound = bind(original, cast, Contract::interface);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->inputs[0].cast_to, DType::i32);
  const Interface text{{value("ids", {fixed(4)}, DType::string)}, {}, {value("y")}};
  EXPECT_THAT(complaint(original, text, Contract::interface), HasSubstr("input 'ids' became string"));
}

TEST(Bind, LostAndAddedValues) {
  EXPECT_EQ(complaint(two_in_two_out, {{value("a"), value("b")}, {}, {value("y")}}), "output 'z' is gone");
  EXPECT_EQ(complaint(two_in_two_out, {{value("a"), value("b"), value("c")}, {}, two_in_two_out.outputs}),
            "input 'c' was added");
  EXPECT_EQ(complaint(two_in_two_out, {two_in_two_out.inputs, {}, {value("y"), value("z"), value("w")}}),
            "output 'w' was added");
  EXPECT_EQ(complaint(two_in_two_out, {two_in_two_out.inputs, {}, {value("y"), value("z"), value("z")}}),
            "there are 3 outputs (were 2)");
}

TEST(Bind, ReorderingIsForTheInterfaceContractOnly) {
  const Interface outputs_swapped{two_in_two_out.inputs, {}, {value("z"), value("y")}};
  EXPECT_EQ(complaint(two_in_two_out, outputs_swapped), "outputs were reordered");
  EXPECT_EQ(complaint(two_in_two_out, outputs_swapped, Contract::partition), "outputs were reordered");
  const auto bound = bind(two_in_two_out, outputs_swapped, Contract::interface);
  ASSERT_TRUE(bound);
  EXPECT_THAT(bound->outputs, ElementsAre(1, 0));
  EXPECT_EQ(complaint(two_in_two_out, {{value("b"), value("a")}, {}, two_in_two_out.outputs}), "inputs were reordered");
}

TEST(Bind, DefaultsMayBeGainedAndNotLost) {
  const Interface original{{value("a")}, {value("w")}, {value("y")}};
  const Interface gained{{}, {value("a"), value("w")}, {value("y")}};
  const auto bound = bind(original, gained, Contract::equivalent);
  ASSERT_TRUE(bound) << bound.error().message;
  ASSERT_EQ(bound->inputs.size(), 1U);
  EXPECT_EQ(bound->inputs[0].variant, "a");
  const Interface lost{{value("a"), value("w")}, {}, {value("y")}};
  EXPECT_EQ(complaint(original, lost), "input 'w' lost its default");
  EXPECT_EQ(complaint(original, lost, Contract::interface), "input 'w' lost its default");
  EXPECT_EQ(complaint(original, {{value("a")}, {}, {value("y")}}), "bound") << "nobody has to feed a default";
}

TEST(Bind, SymbolicDimensionsAndUnknownRanksMatchAnything) {
  const Interface symbolic{{value("x", {symbol("N"), fixed(3)})}, {}, {value("y", {symbol("N")})}};
  const Interface numbers{{value("x", {fixed(1), fixed(3)})}, {}, {value("y", {symbol("M")})}};
  EXPECT_EQ(complaint(symbolic, numbers), "bound");
  EXPECT_EQ(complaint(numbers, symbolic), "bound");
  Interface rankless = symbolic;
  rankless.outputs[0].has_shape = false;
  rankless.outputs[0].dims.clear();
  EXPECT_EQ(complaint(symbolic, rankless), "bound");
  rankless.outputs[0].dtype = DType::undefined;
  EXPECT_EQ(complaint(symbolic, rankless), "bound");
}

TEST(Bind, OtherDeclaredSizesRanksTypesAndKindsAreChanges) {
  const Interface original{{value("x")}, {}, {value("y", {fixed(2), fixed(3)})}};
  const auto with_output = [](ValueInfo output) { return Interface{{value("x")}, {}, {std::move(output)}}; };
  EXPECT_EQ(complaint(original, with_output(value("y", {fixed(6)}))),
            "output 'y' became float32[6] (was float32[2,3])");
  EXPECT_THAT(complaint(original, with_output(value("y", {fixed(2), fixed(4)}))), HasSubstr("became float32[2,4]"));
  EXPECT_THAT(complaint(original, with_output(value("y", {fixed(2), fixed(3)}, DType::f16))),
              HasSubstr("output 'y' became float16"));
  ValueInfo sequence = value("y", {fixed(2), fixed(3)});
  sequence.kind = ValueInfo::Kind::sequence;
  EXPECT_THAT(complaint(original, with_output(sequence)), HasSubstr("output 'y' became"));
}

}  // namespace
}  // namespace culprit
