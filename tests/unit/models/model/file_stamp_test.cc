#include "model/file_stamp.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <chrono>
#include <fstream>

#include "base/file.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

class Stamps : public ::testing::Test {
 protected:
  void SetUp() override {
    onnx::ModelProto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[4] x) => (float[4] y) { y = Add(x, w) })");
    onnx::TensorProto& weight = *model.mutable_graph()->add_initializer();
    weight.set_name("w");
    weight.set_data_type(onnx::TensorProto::FLOAT);
    weight.add_dims(4);
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    onnx::StringStringEntryProto& location = *weight.add_external_data();
    location.set_key("location");
    location.set_value("w.bin");
    std::ofstream(at("w.bin")) << std::string(16, 'w');
    ASSERT_TRUE(save_model(model, at("model.onnx")));
    stamps_ = stamps_of(load_model(at("model.onnx")).value());
  }
  [[nodiscard]] fs::path at(const char* name) const { return folder_.path() / name; }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
  std::vector<FileStamp> stamps_;
};

TEST_F(Stamps, StayWhereNothingChanges) {
  ASSERT_EQ(stamps_.size(), 2U);
  EXPECT_EQ(changed_since(stamps_), std::nullopt);
}

TEST_F(Stamps, TellOfAFileThatIsShorter) {
  const auto when = fs::last_write_time(at("w.bin"));
  fs::resize_file(at("w.bin"), 8);
  fs::last_write_time(at("w.bin"), when);
  EXPECT_EQ(changed_since(stamps_), at("w.bin"));
}

TEST_F(Stamps, TellOfAFileThatIsNewer) {
  fs::last_write_time(at("model.onnx"), fs::last_write_time(at("model.onnx")) + std::chrono::seconds(1));
  EXPECT_EQ(changed_since(stamps_), at("model.onnx"));
}

TEST_F(Stamps, TellOfAFileThatIsGone) {
  fs::remove(at("w.bin"));
  EXPECT_EQ(changed_since(stamps_), at("w.bin"));
}

}  // namespace
}  // namespace culprit
