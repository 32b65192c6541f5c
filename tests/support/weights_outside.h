#pragma once
// The clean model with its weights in a file of their own.

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "support/small_models.h"

namespace culprit::testing {

/// Writes `file`, and "w.bin" beside it.
inline void write_with_weights_outside(const std::filesystem::path& file) {
  onnx::ModelProto model;
  ASSERT_TRUE(onnx::OnnxParser::Parse(model, clean_model).IsOK());
  onnx::TensorProto& w = *model.mutable_graph()->mutable_initializer(0);
  ASSERT_TRUE(write_file_atomic(file.parent_path() / "w.bin", std::string("\0\0\xc0?\0\0\0\xc0\0\0\x80>", 12)));
  w.clear_float_data();
  w.clear_raw_data();
  w.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* const place = w.add_external_data();
  place->set_key("location");
  place->set_value("w.bin");
  ASSERT_TRUE(write_file_atomic(file, model.SerializeAsString()));
}

}  // namespace culprit::testing
