#include <cstring>

#include "network/tflite/settle_reshapes.h"
#include "unit/models/network/tflite_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

constexpr std::int8_t i32 = 2;
constexpr std::int32_t output = 6;

std::int32_t add_number(TfliteEdit& edit, const char* name, std::int32_t number) {
  return static_cast<std::int32_t>(
      edit.append_tensor(0, {name, i32, {}, std::string(reinterpret_cast<const char*>(&number), 4)}).value());
}

/// RESHAPE(output, PACK(sizes)) behind the network; -1 among them is computed by SHAPE.
TfliteFile with_reshape(std::initializer_list<std::int32_t> sizes) {
  auto edit = TfliteEdit::start(small_tflite()).value();
  const auto code = [](const char* name) { return tflite_operator(name)->code; };
  std::vector<std::int32_t> packed;
  std::size_t at = 3;
  for (const std::int32_t size : sizes) {
    if (size >= 0) {
      packed.push_back(add_number(edit, "size", size));
      continue;
    }
    packed.push_back(static_cast<std::int32_t>(edit.append_tensor(0, {"computed", i32, {}, ""}).value()));
    EXPECT_TRUE(edit.insert_operator({0, at++}, {code("SHAPE"), 1, "", {output}, {packed.back()}, {}}));
  }
  const auto count = static_cast<std::int32_t>(packed.size());
  const auto shape = static_cast<std::int32_t>(edit.append_tensor(0, {"shape", i32, {count}, ""}).value());
  const auto last = static_cast<std::int32_t>(edit.append_tensor(0, {"reshaped", 0, {1, 48}, ""}).value());
  EXPECT_TRUE(edit.insert_operator({0, at++}, {code("PACK"), 1, "", packed, {shape}, {}}));
  EXPECT_TRUE(edit.insert_operator({0, at}, {code("RESHAPE"), 1, "", {output, shape}, {last}, {}}));
  return edit.finish().value();
}

/// The elements of the constant shape of the last operator.
std::vector<std::int32_t> shape_of_reshape(const TfliteFile& file) {
  const TfliteSubgraph& graph = file.graph().subgraphs[0];
  const auto bytes = file.buffer(graph.tensors[static_cast<std::size_t>(graph.operators.back().inputs.at(1))].buffer);
  std::vector<std::int32_t> dims(bytes.size() / 4);
  std::memcpy(dims.data(), bytes.data(), bytes.size());
  return dims;
}

TEST(SettleReshapes, OneComputedSizeBecomesWhatTheElementsSay) {
  EXPECT_THAT(shape_of_reshape(settle_reshapes(with_reshape({-1, 48}))), ElementsAre(-1, 48));
  EXPECT_THAT(shape_of_reshape(settle_reshapes(with_reshape({4, -1, 3}))), ElementsAre(4, -1, 3));
}

TEST(SettleReshapes, WhatMoreIsComputedOfStays) {
  const TfliteFile two = with_reshape({-1, -1, 3});
  EXPECT_EQ(settle_reshapes(two).bytes(), two.bytes());
  EXPECT_EQ(settle_reshapes(small_tflite()).bytes(), small_tflite().bytes());
}

}  // namespace
}  // namespace culprit
