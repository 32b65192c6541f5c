#include "reduce/data_set.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

TEST(DataSets, OfALargerCaseAreRemoved) {
  const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-test-");
  ASSERT_TRUE(folder);
  const auto model = std::make_shared<onnx::ModelProto>(
      parse_model(R"(<ir_version: 8, opset_import: ["" : 15]> g (float[2] x) => (float[2] y) { y = Neg (x) })"));
  const Inputs sample{{"x", Tensor::of<float>({2}, {1, 2})}};
  const Case larger{model, {sample, sample, sample}}, smaller{model, {sample}};
  const std::vector<Inputs> outputs(3, {{"y", Tensor::of<float>({2}, {-1, -2})}});
  ASSERT_TRUE(write_data_sets(larger, outputs, folder->path(), folder->path()));
  EXPECT_TRUE(std::filesystem::exists(folder->path() / "test_data_set_2" / "output_0.pb"));
  ASSERT_TRUE(write_data_sets(smaller, {}, folder->path(), folder->path()));
  EXPECT_TRUE(std::filesystem::exists(folder->path() / "test_data_set_0" / "input_0.pb"));
  EXPECT_FALSE(std::filesystem::exists(folder->path() / "test_data_set_0" / "output_0.pb"));
  EXPECT_FALSE(std::filesystem::exists(folder->path() / "test_data_set_1"));
  EXPECT_FALSE(std::filesystem::exists(folder->path() / "test_data_set_2"));
}

}  // namespace
}  // namespace culprit
