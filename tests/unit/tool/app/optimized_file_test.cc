#include "app/optimized_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace culprit {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t element_total = 60'000'000;

class OptimizedFiles : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path at(const char* name) const { return folder_.path() / name; }
  static void write(const fs::path& path, const std::string& text) { ASSERT_TRUE(write_file_atomic(path, text)); }

  /// More than 2 GiB: `count` initializers that all lie in one file, which is a hole.
  [[nodiscard]] Model large_model(const char* name, const char* data, int count = 10) const {
    onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(17);
    model.mutable_graph()->set_name("g");
    for (int i = 0; i < count; ++i) {
      onnx::TensorProto& tensor = *model.mutable_graph()->add_initializer();
      tensor.set_name("w" + std::to_string(i));
      tensor.set_data_type(onnx::TensorProto::FLOAT);
      tensor.add_dims(element_total);
      tensor.set_data_location(onnx::TensorProto::EXTERNAL);
      auto& location = *tensor.add_external_data();
      location.set_key("location");
      location.set_value(data);
    }
    write(at(data), "");
    fs::resize_file(at(data), element_total * 4);
    EXPECT_TRUE(save_model(model, at(name)));
    return load_model(at(name)).value();
  }

  /// What becomes of writing `model` to `out`, where `out`.data is there already.
  [[nodiscard]] Result<fs::path> fill(const char* out, const Model& model) const {
    auto file = OptimizedFile::beside(at(out), model.path);
    EXPECT_TRUE(file) << file.error().text();
    return file->fill("", model);
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
};

TEST_F(OptimizedFiles, NoForeignFileIsTakenForTheirData) {
  const Model model = large_model("model.onnx", "weights.bin");
  write(at("out.onnx.data"), "somebody's");
  const auto filled = fill("out.onnx", model);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().kind, ErrorKind::usage);
  EXPECT_THAT(filled.error().message, HasSubstr("out.onnx.data, which is there already"));
  EXPECT_EQ(read_file(at("out.onnx.data")).value(), "somebody's");
}

TEST_F(OptimizedFiles, NorADataFileOfAnotherModelThanTheOneReplaced) {
  const Model model = large_model("model.onnx", "weights.bin");
  static_cast<void>(large_model("out.onnx", "other.bin", 1));
  write(at("out.onnx.data"), "somebody's");
  EXPECT_FALSE(fill("out.onnx", model));
}

TEST_F(OptimizedFiles, NorTheModelsOwn) {
  const Model model = large_model("model.onnx", "out.onnx.data");
  static_cast<void>(large_model("out.onnx", "out.onnx.data", 1));
  const auto filled = fill("out.onnx", model);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().kind, ErrorKind::usage);
}

TEST_F(OptimizedFiles, WhatAKilledRunLeftIsRemovedByTheNextInTheSamePlace) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto file = OptimizedFile::beside(at("out.onnx"), at("model.onnx"));
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const auto count = [&] { return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()); };
  ASSERT_EQ(count(), 1) << "the killed one's";
  const auto living = OptimizedFile::beside(at("out.onnx"), at("model.onnx"));
  EXPECT_EQ(count(), 1);
  const auto another = OptimizedFile::beside(at("other.onnx"), at("model.onnx"));
  EXPECT_EQ(count(), 2) << "a living one's stays";
}

}  // namespace
}  // namespace culprit
