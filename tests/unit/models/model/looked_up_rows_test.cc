#include "model/looked_up_rows.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "model/branch_conditions.h"
#include "model/stored_numbers.h"
#include "parse.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

/// 40 rows of two numbers around 1, which input `ids` (with `added`) looks up.
onnx::ModelProto lookup(const std::map<std::size_t, std::pair<float, float>>& rows, const std::string& added = "0",
                        std::size_t count = 40) {
  auto model =
      parse_model("<ir_version: 8, opset_import: [\"\" : 19]> g (int64[n] ids) => (float[n,2] y) <int64 k = {" + added +
                  "}> { i = Add(ids, k)  y = Gather(table, i) }");
  std::vector<float> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const auto own = rows.find(i);
    const float size = 1 + static_cast<float>(i) / 100;
    numbers.push_back(own == rows.end() ? size : own->second.first);
    numbers.push_back(own == rows.end() ? -size : own->second.second);
  }
  *model.mutable_graph()->add_initializer() =
      to_proto(Tensor::of<float>({static_cast<std::int64_t>(count), 2}, numbers), "table");
  return model;
}

TEST(LookedUpRows, ThoseUnlikeAllOthersStandOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(rows_that_stand_out(lookup({})), IsEmpty());
  EXPECT_THAT(rows_that_stand_out(lookup({{7, {-1, -2}}})), ElementsAre(Pair("ids", ElementsAre(7)))) << "none above 0";
  EXPECT_THAT(rows_that_stand_out(lookup({{8, {1, 2}}})), ElementsAre(Pair("ids", ElementsAre(8)))) << "none below 0";
  EXPECT_THAT(rows_that_stand_out(lookup({{9, {0, 0}}})), ElementsAre(Pair("ids", ElementsAre(9))));
  EXPECT_THAT(rows_that_stand_out(lookup({{3, {nan, 1}}})), ElementsAre(Pair("ids", ElementsAre(3))));
  EXPECT_THAT(rows_that_stand_out(lookup({{5, {90, -90}}})), ElementsAre(Pair("ids", ElementsAre(5))));
  EXPECT_THAT(rows_that_stand_out(lookup({{6, {1e-3F, -1e-3F}}})), ElementsAre(Pair("ids", ElementsAre(6))));
}

TEST(LookedUpRows, OneRowOfEachKindAndNoneOfWhatIsCommon) {
  const auto found = rows_that_stand_out(lookup({{1, {-1, -2}}, {2, {-5, -1}}, {9, {0, 0}}}));
  EXPECT_THAT(found, ElementsAre(Pair("ids", UnorderedElementsAre(2, 9)))) << "of two the one that is further below";
  std::map<std::size_t, std::pair<float, float>> many;
  for (std::size_t i = 0; i < 10; ++i) many[i] = {-1, -2};
  EXPECT_THAT(rows_that_stand_out(lookup(many)), IsEmpty()) << "blind samples meet ten of 40";
}

TEST(LookedUpRows, WhatIsAddedToTheInputIsTakenOff) {
  EXPECT_THAT(rows_that_stand_out(lookup({{7, {-1, -2}}}, "2")), ElementsAre(Pair("ids", ElementsAre(5))));
}

TEST(LookedUpRows, ThoseThatTwoTablesHaveOtherwise) {
  const auto one = lookup({});
  EXPECT_THAT(rows_that_differ(one, lookup({})), IsEmpty());
  EXPECT_THAT(rows_that_differ(one, lookup({{4, {1, 1}}, {39, {2, 2}}})), ElementsAre(Pair("ids", ElementsAre(4, 39))));
  EXPECT_THAT(rows_that_differ(one, lookup({}, "0", 30)), ElementsAre(Pair("ids", ElementsAre(39))))
      << "the other table is shorter";
  std::map<std::size_t, std::pair<float, float>> all;
  for (std::size_t i = 0; i < 40; ++i) all[i] = {3, 4};
  EXPECT_THAT(rows_that_differ(one, lookup(all)), IsEmpty()) << "any sample shows that";
}

// --- stored in two ways ---

/// 60 rows of four numbers, `bad` being another one in row 33; parts of a graph that looks rows up in `table`.
Tensor rows_by_four(bool is_bad, float factor = 1) {
  std::vector<float> numbers;
  for (int i = 0; i < 240; ++i) numbers.push_back(factor * std::sin(static_cast<float>(i * i)));
  if (is_bad) numbers[33 * 4 + 1] += 3 * factor;
  return Tensor::of<float>({60, 4}, numbers);
}

Tensor turned(const Tensor& table) {
  std::vector<float> numbers;
  for (std::int64_t column = 0; column < table.shape()[1]; ++column) {
    for (std::int64_t row = 0; row < table.shape()[0]; ++row)
      numbers.push_back(static_cast<float>(table.number(row * table.shape()[1] + column)));
  }
  return Tensor::of<float>({table.shape()[1], table.shape()[0]}, numbers);
}

onnx::ModelProto of_nodes(const std::string& nodes, const std::map<std::string, Tensor>& tables) {
  auto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 19]> g (int64[n] ids) => (float[n,4] y) <int64 d = {60}, "
      "float[2] v = {0, 1}, float half = {0.5}, int64[1] one = {1}> {" +
      nodes + "}");
  for (const auto& [name, table] : tables) *model.mutable_graph()->add_initializer() = to_proto(table, name);
  return model;
}

onnx::ModelProto plain(bool is_bad = false, float factor = 1) {
  return of_nodes("y = Gather(table, ids)", {{"table", rows_by_four(is_bad, factor)}});
}

const auto row_33 = ElementsAre(Pair("ids", ElementsAre(33)));

TEST(TablesStoredOtherwise, ReadByOtherOperators) {
  const auto one_hot = [](bool is_bad) {
    return of_nodes("h = OneHot(ids, d, v) y = MatMul(h, table)", {{"table", rows_by_four(is_bad)}});
  };
  const auto tuples = [](bool is_bad) {
    return of_nodes("u = Unsqueeze(ids, one) y = GatherND(table, u)", {{"table", rows_by_four(is_bad)}});
  };
  const auto on_end = [](bool is_bad) {
    return of_nodes("g = Gather<axis = 1>(t, ids) y = Transpose(g)", {{"t", turned(rows_by_four(is_bad))}});
  };
  for (const auto& other : {one_hot(true), tuples(true), on_end(true)}) {
    EXPECT_THAT(rows_that_differ(plain(), other), row_33);
    EXPECT_THAT(rows_that_differ(other, plain()), row_33);
  }
  for (const auto& other : {one_hot(false), tuples(false), on_end(false)})
    EXPECT_THAT(rows_that_differ(plain(), other), IsEmpty());
  EXPECT_THAT(rows_that_differ(on_end(false), on_end(true)), row_33);
}

TEST(TablesStoredOtherwise, MadeOfWhatIsStored) {
  const auto halves = [](bool is_bad) {
    const Tensor all = rows_by_four(is_bad);
    const auto numbers = all.as<float>();
    return of_nodes("table = Concat<axis = 0>(upper, lower) y = Gather(table, ids)",
                    {{"upper", Tensor::of<float>({30, 4}, std::vector<float>(numbers.begin(), numbers.begin() + 120))},
                     {"lower", Tensor::of<float>({30, 4}, std::vector<float>(numbers.begin() + 120, numbers.end()))}});
  };
  const auto upright = [](bool is_bad) {
    return of_nodes("table = Transpose(t) y = Gather(table, ids)", {{"t", turned(rows_by_four(is_bad))}});
  };
  for (const auto& other : {halves(true), upright(true)}) EXPECT_THAT(rows_that_differ(plain(), other), row_33);
  for (const auto& other : {halves(false), upright(false)}) EXPECT_THAT(rows_that_differ(plain(), other), IsEmpty());
}

TEST(TablesStoredOtherwise, WorkedOutOfOneAnother) {
  const auto scaled = of_nodes("g = Gather(table, ids) y = Mul(g, half)", {{"table", rows_by_four(false)}});
  EXPECT_THAT(rows_that_differ(scaled, plain(true, 0.5F)), row_33);
  EXPECT_THAT(rows_that_differ(scaled, plain(false, 0.5F)), IsEmpty());
  const auto unlike =
      of_nodes("y = Gather(table, ids)", {{"table", Tensor::of<float>({60, 4}, [] {
                                             std::vector<float> numbers;
                                             for (int i = 0; i < 240; ++i)
                                               numbers.push_back(std::cos(static_cast<float>(i * i * i)));
                                             return numbers;
                                           }())}});
  EXPECT_THAT(rows_that_differ(plain(), unlike), IsEmpty()) << "any sample shows that";
}

TEST(TablesStoredOtherwise, EightBitsAndAScaleForEachRow) {
  const auto in_8_bits = [](std::size_t bad, float factor) {
    const Tensor table = rows_by_four(false);
    std::vector<std::int8_t> whole;
    std::vector<float> scales;
    for (std::int64_t row = 0; row < 60; ++row) {
      float largest = 0;
      for (std::int64_t i = 0; i < 4; ++i)
        largest = std::max(largest, std::abs(static_cast<float>(table.number(row * 4 + i))));
      scales.push_back(largest / 127 * (static_cast<std::size_t>(row) == bad ? factor : 1));
      for (std::int64_t i = 0; i < 4; ++i)
        whole.push_back(
            static_cast<std::int8_t>(std::lround(static_cast<float>(table.number(row * 4 + i)) / largest * 127)));
    }
    return of_nodes(
        "w = Gather(whole, ids) s = Gather(scales, ids) f = Cast<to = 1>(w) y = Mul(f, s)",
        {{"whole", Tensor::of<std::int8_t>({60, 4}, whole)}, {"scales", Tensor::of<float>({60, 1}, scales)}});
  };
  EXPECT_THAT(rows_that_differ(plain(), in_8_bits(33, 2)), row_33) << "its scale is wrong";
  EXPECT_THAT(rows_that_differ(plain(true), in_8_bits(60, 1)), row_33) << "its numbers are wrong";
  EXPECT_THAT(rows_that_differ(plain(), in_8_bits(60, 1)), IsEmpty());
}

TEST(TablesStoredOtherwise, RowsThatAreReadAsFarAsAnInputIsLong) {
  const auto positions = [](bool is_bad) {
    auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 19]> g (float[n,4] x) => (float[n,4] y)
        <int64[1] zero = {0}, int64[1] one = {1}> {
          s = Shape(x)  e = Slice(s, zero, one)  p = Slice(table, zero, e, zero)  y = Add(x, p) })");
    *model.mutable_graph()->add_initializer() = to_proto(rows_by_four(is_bad), "table");
    return model;
  };
  const auto counted = [](bool is_bad) {
    auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 19]> g (float[n,4] x) => (float[n,4] y)
        <int64 zero = {0}, int64 one = {1}> {
          s = Shape(x)  e = Gather(s, zero)  r = Range(zero, e, one)  p = Gather(table, r)  y = Add(x, p) })");
    *model.mutable_graph()->add_initializer() = to_proto(rows_by_four(is_bad), "table");
    return model;
  };
  for (const auto& other : {positions(true), counted(true)}) {
    const auto lengths = lengths_that_differ(positions(false), other);
    ASSERT_THAT(lengths, testing::SizeIs(1));
    EXPECT_EQ(lengths[0].end, "e");
    EXPECT_THAT(lengths[0].rows, ElementsAre(33));
    EXPECT_THAT(sizes_behind(positions(false), lengths).sizes, ElementsAre(Pair("n", ElementsAre(33))));
  }
  EXPECT_THAT(lengths_that_differ(positions(false), counted(false)), IsEmpty());
}

TEST(StoredNumbers, AGraphThatGoesInCirclesOrDoublesAtEachStepGivesNothing) {
  auto circle = of_nodes("a = Transpose(b) b = Transpose(a) y = Gather(a, ids)", {});
  EXPECT_EQ(StoredValues(circle).numbers("a"), std::nullopt);
  std::string nodes = "x0 = Identity(table) ";
  for (int i = 0; i < 40; ++i) nodes += fmt::format("x{} = Add(x{}, x{}) ", i + 1, i, i);
  const auto doubling = of_nodes(nodes + "y = Gather(x40, ids)", {{"table", rows_by_four(false)}});
  EXPECT_EQ(StoredValues(doubling).numbers("x40"), std::nullopt);
}

TEST(StoredNumbers, EightBitsWithAScaleOfEachColumn) {
  const auto model = of_nodes("table = DequantizeLinear(whole, scales, zeros) y = Gather(table, ids)",
                              {{"whole", Tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6})},
                               {"scales", Tensor::of<float>({3}, {1, 10, 100})},
                               {"zeros", Tensor::of<std::int8_t>({3}, {0, 1, 2})}});
  const auto found = StoredValues(model).numbers("table");
  ASSERT_TRUE(found);
  EXPECT_THAT(found->numbers, ElementsAre(1, 10, 100, 4, 40, 400));
}

}  // namespace
}  // namespace culprit
