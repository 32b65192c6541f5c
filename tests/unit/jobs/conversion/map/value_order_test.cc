#include "conversion/map/value_order.h"

#include <gmock/gmock.h>

#include <numeric>

#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

Tensor one_to(const Shape& shape) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  return Tensor::of(shape, numbers);
}

struct OrderRow {
  const char* what;
  ValueOrder order;
  Shape source, target;
};

const std::vector<OrderRow> order_rows{
    {"nothing named", {}, {2, 3}, {3, 2}},
    {"a scalar", {}, {}, {1, 1}},
    {"channels last", {{{0, 2, 3, 1}}}, {2, 3, 4, 5}, {2, 4, 5, 3}},
    {"channels last, flat", {{{0, 2, 3, 1}}}, {2, 3, 4, 5}, {2, 60}},
    {"axes of one element left out", {{{1, 0}}}, {3, 4, 1, 1}, {4, 3}},
    {"of the target", {{{1, 0, 2}, true}}, {6, 20}, {4, 6, 5}},
    {"channels in another order", {{}, {2, 0, 1}, 1}, {2, 3, 4}, {2, 3, 4}},
    {"both", {{{0, 2, 1}}, {2, 0, 1}, 2}, {2, 3, 4}, {2, 4, 3}},
    {"both, of the target", {{{1, 0}, true}, {1, 2, 0}, 0}, {6}, {3, 2}},
    {"nothing at all", {{{1, 0}}}, {0, 3}, {3, 0}},
};

TEST(ValueOrder, WhatIsLaidOutIsBroughtBack) {
  for (const OrderRow& row : order_rows) {
    const Tensor source = one_to(row.source);
    const auto target = laid_out(source, row.order, row.target);
    ASSERT_TRUE(target) << row.what << ": " << target.error().text();
    EXPECT_EQ(target->shape(), row.target) << row.what;
    EXPECT_TRUE(brought_back(*target, row.order, row.source)->identical(source)) << row.what;
  }
}

TEST(ValueOrder, ElementsGoWhereTheOrderSays) {
  const Tensor source = one_to({2, 3});
  EXPECT_THAT(numbers_in(*laid_out(source, ValueOrder{{{1, 0}}}, {3, 2})), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(numbers_in(*laid_out(source, ValueOrder{{}, {2, 0, 1}, 1}, {2, 3})), ElementsAre(3, 1, 2, 6, 4, 5));
  // First the axes, then the slices of the target: its rows are 1 4, 2 5, 3 6 before.
  EXPECT_THAT(numbers_in(*laid_out(source, ValueOrder{{{1, 0}}, {2, 0, 1}, 0}, {3, 2})), ElementsAre(3, 6, 1, 4, 2, 5));
  const ValueOrder of_target{{{1, 0}, true}};
  EXPECT_TRUE(laid_out(source, of_target, {3, 2})->identical(laid_out(source, of_target.axes, {3, 2}).value()));
}

TEST(ValueOrder, AllWidthsOfElements) {
  const auto bytes_of = [](std::size_t count) { return std::vector<std::byte>(count, std::byte{7}); };
  for (const auto& [type, width] : std::vector<std::pair<DType, std::size_t>>{
           {DType::u8, 1}, {DType::f16, 2}, {DType::i32, 4}, {DType::f64, 8}, {DType::c128, 16}}) {
    const Tensor tensor = Tensor::from_bytes(type, {2, 3}, bytes_of(6 * width)).value();
    const auto moved = laid_out(tensor, ValueOrder{{{1, 0}}}, {3, 2});
    ASSERT_TRUE(moved) << name_of(type);
    EXPECT_EQ(moved->dtype(), type);
  }
  const Tensor nibbles = Tensor::from_bytes(DType::u4, {2, 2}, bytes_of(2)).value();
  EXPECT_EQ(laid_out(nibbles, ValueOrder{{{1, 0}}}, {2, 2}).error().kind, ErrorKind::unsupported);
}

TEST(ValueOrder, WhatDoesNotFitIsAnError) {
  const Tensor source = one_to({2, 3, 4});
  for (const auto& [order, target] : std::vector<std::pair<ValueOrder, Shape>>{
           {{}, {2, 3, 5}},                                 // other elements
           {{{{0, 1}}}, {2, 3, 4}},                         // an axis is missing
           {{{{0, 1, 1}}}, {2, 3, 4}},                      // one twice
           {{{{0, 1, 3}}}, {2, 3, 4}},                      // none
           {{{}, {0, 1}, 1}, {2, 3, 4}},                    // other slices
           {{{}, {0, 0, 1}, 1}, {2, 3, 4}},                 // one twice
           {{{}, {0, 1, 2}, 3}, {2, 3, 4}},                 // no such axis
           {{{{0, 1, 2}, true}, {}, -1}, {6, 2, 2, 1}}}) {  // an axis of the target is missing, but it has one element
    const auto laid = laid_out(source, order, target);
    if (order.axes.of_target)
      EXPECT_TRUE(laid);
    else
      EXPECT_EQ(laid.error().kind, ErrorKind::internal);
  }
}

TEST(ValueOrder, ShapesAndWords) {
  EXPECT_THAT(laid_out_shape({1, 3, 8, 9}, {{{0, 2, 3, 1}}}), ElementsAre(1, 8, 9, 3));
  EXPECT_THAT(laid_out_shape({1, 3, 8, 9}, {}), ElementsAre(1, 3, 8, 9));
  EXPECT_THAT(laid_out_shape({6, 20}, {{{1, 0, 2}, true}}), ElementsAre(6, 20));
  EXPECT_TRUE(ValueOrder{}.moves_nothing());
  EXPECT_TRUE((ValueOrder{{{0, 1}}}).moves_nothing());
  EXPECT_FALSE((ValueOrder{{}, {1, 0}, 0}).moves_nothing());
  EXPECT_EQ(to_string(ValueOrder{}, {2}, {2}), "as it is");
  EXPECT_EQ(to_string(ValueOrder{{{0, 2, 1}}}, {1, 2, 3}, {1, 3, 2}), "axes 0, 2, 1 of [1,2,3]");
  EXPECT_EQ(to_string(ValueOrder{{}, {1, 0}, 0}, {2}, {2}), "channels in another order");
  EXPECT_EQ(to_string(ValueOrder{{{1, 0}}, {1, 0}, 0}, {3, 2}, {2, 3}),
            "axes 1, 0 of [3,2], channels in another order");
}

}  // namespace
}  // namespace culprit
