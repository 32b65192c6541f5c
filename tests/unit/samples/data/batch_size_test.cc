#include "data/batch_size.h"

#include <gtest/gtest.h>

#include "interfaces.h"

namespace culprit {
namespace {

ValueInfo input(const std::string& name, std::vector<Dim> dims) { return value(name, DType::f32, std::move(dims)); }

NamedTensor fed(const std::string& name, const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  return {name, Tensor::of<float>(shape, std::vector<float>(static_cast<std::size_t>(count)))};
}

TEST(BatchSize, IsWhatTheOpenDimensionHas) {
  const auto x = input("x", {open("batch"), fixed(3), open("height"), open("width")});
  EXPECT_EQ(batch_size({x}, {fed("x", {8, 3, 2, 2})}), 8);
  EXPECT_EQ(batch_size({input("x", {open("N"), fixed(4)})}, {fed("x", {1, 4})}), 1);
}

TEST(BatchSize, IsNotKnownOfAFixedOne) {
  EXPECT_FALSE(batch_size({input("x", {fixed(8), fixed(4)})}, {fed("x", {8, 4})}));
  EXPECT_FALSE(batch_size({input("x", {fixed(8), open("length")})}, {fed("x", {8, 4})}));
}

TEST(BatchSize, InputsThatDisagreeTellNothing) {
  const std::vector inputs{input("x", {open("batch"), fixed(4)}), input("y", {open("batch_of_y"), fixed(4)})};
  EXPECT_EQ(batch_size(inputs, {fed("x", {2, 4}), fed("y", {2, 4})}), 2);
  EXPECT_FALSE(batch_size(inputs, {fed("x", {2, 4}), fed("y", {3, 4})}));
}

TEST(BatchSize, WhatIsNotFedAsDeclaredTellsNothing) {
  EXPECT_FALSE(batch_size({input("x", {open("batch"), fixed(4)})}, {}));
  EXPECT_FALSE(batch_size({input("x", {open("batch"), fixed(4)})}, {fed("x", {4})}));
}

}  // namespace
}  // namespace culprit
