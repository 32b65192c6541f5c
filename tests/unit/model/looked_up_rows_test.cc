#include "model/looked_up_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

TEST(LookedUpRows, those_unlike_all_others_stand_out) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(rows_that_stand_out(lookup({})), IsEmpty());
  EXPECT_THAT(rows_that_stand_out(lookup({{7, {-1, -2}}})), ElementsAre(Pair("ids", ElementsAre(7)))) << "none above 0";
  EXPECT_THAT(rows_that_stand_out(lookup({{8, {1, 2}}})), ElementsAre(Pair("ids", ElementsAre(8)))) << "none below 0";
  EXPECT_THAT(rows_that_stand_out(lookup({{9, {0, 0}}})), ElementsAre(Pair("ids", ElementsAre(9))));
  EXPECT_THAT(rows_that_stand_out(lookup({{3, {nan, 1}}})), ElementsAre(Pair("ids", ElementsAre(3))));
  EXPECT_THAT(rows_that_stand_out(lookup({{5, {90, -90}}})), ElementsAre(Pair("ids", ElementsAre(5))));
  EXPECT_THAT(rows_that_stand_out(lookup({{6, {1e-3F, -1e-3F}}})), ElementsAre(Pair("ids", ElementsAre(6))));
}

TEST(LookedUpRows, one_row_of_each_kind_and_none_of_what_is_common) {
  const auto found = rows_that_stand_out(lookup({{1, {-1, -2}}, {2, {-5, -1}}, {9, {0, 0}}}));
  EXPECT_THAT(found, ElementsAre(Pair("ids", UnorderedElementsAre(2, 9)))) << "of two the one that is further below";
  std::map<std::size_t, std::pair<float, float>> many;
  for (std::size_t i = 0; i < 10; ++i) many[i] = {-1, -2};
  EXPECT_THAT(rows_that_stand_out(lookup(many)), IsEmpty()) << "blind samples meet ten of 40";
}

TEST(LookedUpRows, what_is_added_to_the_input_is_taken_off) {
  EXPECT_THAT(rows_that_stand_out(lookup({{7, {-1, -2}}}, "2")), ElementsAre(Pair("ids", ElementsAre(5))));
}

TEST(LookedUpRows, those_that_two_tables_have_otherwise) {
  const auto one = lookup({});
  EXPECT_THAT(rows_that_differ(one, lookup({})), IsEmpty());
  EXPECT_THAT(rows_that_differ(one, lookup({{4, {1, 1}}, {39, {2, 2}}})), ElementsAre(Pair("ids", ElementsAre(4, 39))));
  EXPECT_THAT(rows_that_differ(one, lookup({}, "0", 30)), ElementsAre(Pair("ids", ElementsAre(39))))
      << "the other table is shorter";
  std::map<std::size_t, std::pair<float, float>> all;
  for (std::size_t i = 0; i < 40; ++i) all[i] = {3, 4};
  EXPECT_THAT(rows_that_differ(one, lookup(all)), IsEmpty()) << "any sample shows that";
}

}  // namespace
}  // namespace culprit
