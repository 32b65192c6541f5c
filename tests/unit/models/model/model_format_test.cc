#include "model/model_format.h"

#include <gtest/gtest.h>

#include <string>

#include "base/file.h"

namespace culprit {
namespace {

using namespace std::string_literals;

class ModelFormatTest : public ::testing::Test {
 protected:
  [[nodiscard]] ModelFormat of(const std::string& name, const std::string& bytes) const {
    EXPECT_TRUE(write_file_atomic(folder_.path() / name, bytes));
    return format_of(folder_.path() / name);
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-format").value();
};

const std::string one_node = "\x0a\x02\x0a\x00"s;            // field 1, length 2: a node of a graph with an empty name
const std::string onnx_model = "\x08\x08\x3a\x02\x0a\x00"s;  // ir_version 8, a graph

TEST_F(ModelFormatTest, TfliteByItsMarkWhateverTheName) {
  EXPECT_EQ(of("m.onnx", "\x1c\0\0\0TFL3\0\0"s), ModelFormat::tflite);
  EXPECT_EQ(of("m.tflite", "TFL3\0\0\0\0"s), ModelFormat::onnx);  // not at byte 4
  EXPECT_EQ(of("m.pb", "\x1c\0\0\0TFL3"s), ModelFormat::tflite);
}

TEST_F(ModelFormatTest, FrozenGraphByItsOuterFields) {
  EXPECT_EQ(of("g.pb", one_node + "\x22\x03\x08\x01\x10"s), ModelFormat::frozen_graph);  // versions behind it
  EXPECT_EQ(of("g.onnx", one_node), ModelFormat::onnx);                                  // the name decides, too
  EXPECT_EQ(of("m.pb", onnx_model), ModelFormat::onnx);
  EXPECT_EQ(of("cut.pb", one_node.substr(0, 3)), ModelFormat::onnx);
  EXPECT_EQ(of("far.pb", "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"s + one_node), ModelFormat::onnx);
  EXPECT_EQ(of("other.pb", one_node + "\x3a\x00"s), ModelFormat::onnx);  // a field that GraphDef does not have
  EXPECT_EQ(of("empty.pb", ""), ModelFormat::onnx);
}

TEST_F(ModelFormatTest, SavedModelByItsFile) {
  ASSERT_TRUE(fs::create_directory(folder() / "saved"));
  EXPECT_EQ(format_of(folder() / "saved"), ModelFormat::onnx);
  EXPECT_EQ(of("saved/saved_model.pb", "\x08\x01\x12\x00"s), ModelFormat::saved_model);
  EXPECT_EQ(format_of(folder() / "saved"), ModelFormat::saved_model);
  EXPECT_EQ(of("saved_model.pb", onnx_model), ModelFormat::onnx);
}

TEST_F(ModelFormatTest, KerasByItsBeginAndItsName) {
  EXPECT_EQ(of("m.keras", "PK\x03\x04\0\0\0\0"s), ModelFormat::keras);
  EXPECT_EQ(of("m.h5", "\x89HDF\r\n\x1a\n"s), ModelFormat::keras);
  EXPECT_EQ(of("m.hdf5", "\x89HDF\r\n\x1a\n"s), ModelFormat::keras);
  EXPECT_EQ(of("m.onnx", "\x89HDF\r\n\x1a\n"s), ModelFormat::onnx);
  EXPECT_EQ(of("m.npz", "PK\x03\x04\0\0\0\0"s), ModelFormat::onnx);
  EXPECT_EQ(of("short.h5", "\x89HDF"s), ModelFormat::onnx);
}

TEST_F(ModelFormatTest, WhatIsNotThereIsLeftToTheLoader) {
  EXPECT_EQ(format_of(folder() / "none.pb"), ModelFormat::onnx);
  EXPECT_EQ(format_of(""), ModelFormat::onnx);
}

}  // namespace
}  // namespace culprit
