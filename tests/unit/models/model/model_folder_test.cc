// A folder where a model is named.
#include "model/model_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "model/model.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::Not;

class ModelFolder : public testing::Test {
 protected:
  [[nodiscard]] fs::path put(const std::string& name) const {
    EXPECT_TRUE(write_file_atomic(folder_.path() / name, "x"));
    return folder_.path() / name;
  }
  /// What is said of the folder as a model.
  [[nodiscard]] std::string refusal() const {
    const auto loaded = load_model(folder_.path());
    return loaded ? "" : loaded.error().text();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
};

TEST_F(ModelFolder, ModelOnnxIsTheModelWhateverLiesBesideIt) {
  const fs::path model = put("model.onnx"), other = put("int8.onnx");
  EXPECT_EQ(model_file(folder_.path()), model);
  EXPECT_EQ(model_file(other), other);
  EXPECT_EQ(model_file("gone.onnx"), "gone.onnx");
}

TEST_F(ModelFolder, WithoutOneItSaysWhatIsThere) {
  EXPECT_EQ(model_file(folder_.path()), folder_.path());
  EXPECT_THAT(refusal(), HasSubstr("a folder without a model.onnx or a saved_model.pb"));
  (void)put("net.onnx");
  (void)put("notes.txt");
  EXPECT_THAT(refusal(), HasSubstr("did you mean " + (folder_.path() / "net.onnx").string() + "?"));
  (void)put("other.onnx");
  EXPECT_THAT(refusal(), HasSubstr("2 models, and none of them is called model.onnx: net.onnx, other.onnx"));
  EXPECT_THAT(refusal(), Not(HasSubstr("notes")));
}

TEST_F(ModelFolder, AFolderThatIsCalledModelOnnxIsNone) {
  fs::create_directory(folder_.path() / "model.onnx");
  EXPECT_EQ(model_file(folder_.path()), folder_.path());
}

}  // namespace
}  // namespace culprit
