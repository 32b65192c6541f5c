#include <gtest/gtest.h>

#include "conversion/sides/only_batch.h"
#include "support/tflite_net.h"

namespace culprit {
namespace {

TfliteFile upscaled(bool computes_its_shape) {
  testing::TfliteNet net({3, 2, 2, 1});
  const auto kernel = net.floats({1, 2, 2, 1}, {1, 1, 1, 1});
  const auto shape = computes_its_shape ? net.node("SHAPE", {testing::TfliteNet::x}, "shape", {4}, {}, DType::i32)
                                        : net.wholes({4}, {3, 4, 4, 1});
  return net.file({net.node("TRANSPOSE_CONV", {shape, kernel, testing::TfliteNet::x}, "up", {3, 4, 4, 1})});
}

TEST(OnlyBatch, IsTheFilesWhereAShapeIsComputed) {
  EXPECT_EQ(only_batch(upscaled(true)), 3);
  EXPECT_EQ(only_batch(upscaled(false)), std::nullopt);
  EXPECT_EQ(only_batch(testing::small_cnn()), std::nullopt);
}

}  // namespace
}  // namespace culprit
