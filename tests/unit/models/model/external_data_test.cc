#include "model/external_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "model/model.h"
#include "tensor/tensor.h"
#include "tensor/tensor_proto.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const char* const model_without_weight = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[3] x) => (float[3] y) { y = Add(x, weight) })";

class ExternalData : public testing::Test {
 protected:
  ExternalData() {
    fs::create_directory(model_folder_);
    EXPECT_TRUE(write_file_atomic(model_folder_ / "w.bin", "0123" + bytes_ + "more"));
    EXPECT_TRUE(write_file_atomic(folder_.path() / "secret.bin", std::string(100, 's')));
  }
  /// A model whose float32[3] `weight` lies in `location`; empty strings leave offset and length out.
  onnx::ModelProto model_with(const std::string& location, const std::string& offset, const std::string& length) {
    auto model = parse_model(model_without_weight);
    auto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_name("weight");
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    tensor->add_dims(3);
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
      if (value.empty()) return;
      auto* entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    };
    add("location", location);
    add("offset", offset);
    add("length", length);
    return model;
  }
  Result<Model> load(const onnx::ModelProto& model) {
    std::ofstream(model_folder_ / "m.onnx", std::ios::binary) << model.SerializeAsString();
    return load_model(model_folder_ / "m.onnx");
  }
  Error error_of(const std::string& location, const std::string& offset = "4", const std::string& length = "12") {
    const auto model = load(model_with(location, offset, length));
    EXPECT_FALSE(model) << location << " " << offset << " " << length;
    if (model) return {};
    EXPECT_THAT(model.error().message, AllOf(HasSubstr("m.onnx"), HasSubstr("'weight'")));
    auto inlined = model_with(location, offset, length);
    EXPECT_FALSE(inline_external_data(inlined, model_folder_));
    return model.error();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "external_data_test").value();
  fs::path model_folder_ = folder_.path() / "models";
  std::string bytes_ = std::string("\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40", 12);  // 1, 2, 3
};

TEST_F(ExternalData, MayLieApartFromTheModelAndNeverOutsideItsFolder) {
  const fs::path apart = folder_.path() / "run" / "as_run.onnx";
  fs::create_directory(apart.parent_path());
  const auto loaded = [&](const std::string& location) {
    std::ofstream(apart, std::ios::binary) << model_with(location, "4", "12").SerializeAsString();
    return load_model_apart(apart, model_folder_);
  };
  const auto model = loaded("w.bin");
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->path, apart);
  EXPECT_TRUE(model->has_external_data);
  EXPECT_FALSE(load_model(apart)) << "it is not beside it";
  EXPECT_FALSE(loaded("../secret.bin"));
  EXPECT_FALSE(loaded((folder_.path() / "secret.bin").string()));
  fs::create_symlink(folder_.path() / "secret.bin", model_folder_ / "link.bin");
  EXPECT_FALSE(loaded("link.bin"));
  ASSERT_TRUE(write_file_atomic(apart.parent_path() / "beside.bin", std::string(100, 'b')));
  EXPECT_FALSE(loaded("beside.bin")) << "only the other folder counts";
}

TEST_F(ExternalData, IsFoundAndBroughtIn) {
  auto model = load(model_with("w.bin", "4", "12"));
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_TRUE(model->has_external_data);
  onnx::ModelProto inlined = *model->proto;
  ASSERT_TRUE(inline_external_data(inlined, model_folder_));
  const auto& tensor = inlined.graph().initializer(0);
  EXPECT_EQ(tensor.raw_data(), bytes_);
  EXPECT_TRUE(tensor.external_data().empty());
  EXPECT_FALSE(tensor.has_data_location());
  EXPECT_EQ(checker_complaint(inlined), "");
  EXPECT_TRUE(from_proto(tensor)->identical(Tensor::of<float>({3}, {1, 2, 3})));
}

TEST_F(ExternalData, LengthAndOffsetMayBeLeftOut) {
  EXPECT_TRUE(load(model_with("w.bin", "4", "")));
  auto model = model_with("w.bin", "", "");
  ASSERT_TRUE(inline_external_data(model, model_folder_));
  EXPECT_EQ(model.graph().initializer(0).raw_data(), "0123" + bytes_.substr(0, 8));
}

TEST_F(ExternalData, OfAttributesAndSubgraphsIsFoundToo) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c) => (float[3] y) {
      y = If (c) <then_branch = t () => (float[3] a) { a = Constant <value = float[3] {1, 2, 3}> () },
                  else_branch = e () => (float[3] b) { b = Constant <value = float[3] {1, 2, 3}> () }> })");
  auto* branch = model.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g();
  *branch->mutable_node(0)->mutable_attribute(0)->mutable_t() = model_with("gone.bin", "", "").graph().initializer(0);
  EXPECT_FALSE(load(model));
  *branch->mutable_node(0)->mutable_attribute(0)->mutable_t() = model_with("w.bin", "4", "").graph().initializer(0);
  ASSERT_TRUE(load(model));
  EXPECT_TRUE(load(model)->has_external_data);
  ASSERT_TRUE(inline_external_data(model, model_folder_));
  EXPECT_EQ(branch->node(0).attribute(0).t().raw_data(), bytes_);
}

TEST_F(ExternalData, MissingFileIsNamed) {
  const Error error = error_of("gone.bin");
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_THAT(error.message, AllOf(HasSubstr("gone.bin"), HasSubstr("missing")));
  EXPECT_FALSE(error.hint.empty());
}

TEST_F(ExternalData, StaysInsideTheFolder) {
  fs::create_symlink(folder_.path() / "secret.bin", model_folder_ / "link.bin");
  fs::create_directory_symlink(folder_.path(), model_folder_ / "up");
  for (const std::string location : {"../secret.bin", "../../../../../../etc/passwd", "/etc/passwd", "link.bin",
                                     "up/secret.bin", "./x/../../secret.bin"}) {
    const Error error = error_of(location);
    EXPECT_THAT(error.message, HasSubstr("does not lie in the model's folder")) << location;
  }
}

TEST_F(ExternalData, SizesAreNotBelieved) {
  EXPECT_THAT(error_of("w.bin", "9").message, HasSubstr("has only 20"));
  EXPECT_THAT(error_of("w.bin", "21").message, HasSubstr("has only 20"));
  EXPECT_THAT(error_of("w.bin", "18446744073709551615").message, HasSubstr("has only 20"));
  EXPECT_THAT(error_of("w.bin", "4", "11").message, HasSubstr("need 12"));
  EXPECT_THAT(error_of("w.bin", "4", "18446744073709551615").message, HasSubstr("need 12"));
  EXPECT_THAT(error_of("w.bin", "-4").message, HasSubstr("offset '-4'"));
  EXPECT_THAT(error_of("w.bin", "4", "12 bytes").message, HasSubstr("length '12 bytes'"));
  EXPECT_THAT(error_of("").message, HasSubstr("no file"));
  fs::create_directory(model_folder_ / "folder.bin");
  EXPECT_THAT(error_of("folder.bin").message, HasSubstr("not a regular file"));
}

TEST_F(ExternalData, HugeShapesAreErrors) {
  auto model = model_with("w.bin", "", "");
  model.mutable_graph()->mutable_initializer(0)->set_dims(0, INT64_MAX);
  EXPECT_FALSE(load(model));
  EXPECT_FALSE(inline_external_data(model, model_folder_));
  model.mutable_graph()->mutable_initializer(0)->set_dims(0, -1);
  EXPECT_FALSE(load(model));
}

}  // namespace
}  // namespace culprit
