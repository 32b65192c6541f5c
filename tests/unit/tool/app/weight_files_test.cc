#include "app/weight_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "model/model.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(WeightFiles, AreToldByTheNamesInAModelOfAnyName) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.mutable_graph()->set_name("g");
  for (const char* location : {"b.pb", "../a.pb", "b.pb"}) {
    onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    auto& entry = *tensor.add_external_data();
    entry.set_key("location");
    entry.set_value(location);
  }
  const TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-weights-").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "00ff", model.SerializeAsString()));
  EXPECT_THAT(weight_names_of(folder.path() / "00ff"), ElementsAre("../a.pb", "b.pb")) << "none of them is there";
  EXPECT_THAT(weight_files_of(folder.path() / "00ff"), IsEmpty());
  EXPECT_THAT(weight_names_of(folder.path() / "gone"), IsEmpty());
}

}  // namespace
}  // namespace culprit
