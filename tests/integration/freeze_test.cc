// SavedModels as single graphs, by TensorFlow's Python, where there is one.
#include <gmock/gmock.h>

#include <cstdlib>

#include "base/cache_folder.h"
#include "base/file.h"
#include "network/model_of_file.h"
#include "network/tensorflow/tensorflow_model.h"
#include "runtime/find_library.h"
#include "runtime/freeze_saved_model.h"
#include "runtime/open_runner.h"
#include "unit/models/network/tensorflow_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A cache of its own, and the Python of the user's.
class FreezeSavedModel : public ::testing::Test {
 protected:
  FreezeSavedModel() {
    if (const auto python = find_keras()) ::setenv("CULPRIT_KERAS", python->c_str(), 1);
    ::setenv("CULPRIT_CACHE", folder_.path().c_str(), 1);
  }
  ~FreezeSavedModel() override {
    ::unsetenv("CULPRIT_CACHE");
    ::unsetenv("CULPRIT_KERAS");
  }

  Result<std::filesystem::path> freeze(const std::filesystem::path& saved, bool trusted = false) {
    const std::string identity =
        load_any_model(saved).map([](const Model& model) { return model.facts.sha256; }).value_or("");
    return freeze_saved_model(saved, identity, {.trusted = trusted, .scratch = folder_.path()});
  }
  std::filesystem::path save(const tensorflow::SavedModel& model) {
    const auto saved = folder_.path() / "saved";
    std::filesystem::create_directories(saved);
    EXPECT_TRUE(write_file_atomic(saved / "saved_model.pb", model.SerializeAsString()));
    return saved;
  }

  const std::filesystem::path notes_ = cache_folder() / "models/basic-pitch-0.4.0-forms/nmp";  // before it is set
  TemporaryFolder folder_ = TemporaryFolder::create(::testing::TempDir(), "culprit-freeze-").value();
};

TEST_F(FreezeSavedModel, WhatReadsFilesMustBeTrusted) {
  tensorflow::SavedModel model = small_saved_model();
  add_tensorflow_node(*model.mutable_graphs(0)->mutable_graph()->mutable_nodes(), "read", "ReadFile");
  const auto refused = freeze(save(model));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("ReadFile (node 'read')"));
  EXPECT_THAT(refused.error().hint, HasSubstr("--trust"));
}

TEST_F(FreezeSavedModel, WithoutPythonItSaysWhatBringsIt) {
  ::unsetenv("CULPRIT_KERAS");
  const auto missing = freeze(save(small_saved_model()));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(missing.error().hint, HasSubstr("scripts/setup tensorflow"));
}

TEST_F(FreezeSavedModel, WhatTensorflowCannotLoadIsSaid) {
  if (!find_keras()) GTEST_SKIP() << find_keras().error().text();
  const auto broken = freeze(save(small_saved_model()));  // its function has no body that could be run
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(broken.error().message, HasSubstr("cannot be made one graph"));
}

/// A model of Keras 2 that was saved with its optimizer, whose SavedModel TensorFlow 2.21 loads in the old way alone.
TEST_F(FreezeSavedModel, TheGraphOfANetworkComputesWhatItDoes) {
  if (!find_keras()) GTEST_SKIP() << find_keras().error().text();
  if (!std::filesystem::exists(notes_)) GTEST_SKIP() << notes_ << " is not there: scripts/setup networks";
  const auto frozen = freeze(notes_);
  ASSERT_TRUE(frozen) << frozen.error().text();
  const auto written = std::filesystem::last_write_time(*frozen);
  EXPECT_EQ(freeze(notes_).value(), *frozen);
  EXPECT_EQ(std::filesystem::last_write_time(*frozen), written) << "it is made once";
  const auto model = TensorflowModel::of_graph(read_file(*frozen).value());
  ASSERT_TRUE(model);
  const auto interface = model->interface();
  ASSERT_TRUE(interface);
  std::vector<std::string> outputs;
  for (const TensorflowValue& output : interface->outputs) outputs.push_back(output.name);
  EXPECT_THAT(outputs, ElementsAre("contour:0", "note:0", "onset:0"));

  ::unsetenv("CULPRIT_CACHE");
  const auto library = find_tensorflow();
  if (!library) GTEST_SKIP() << library.error().text();
  const auto runner = open_runner({*library, std::string(tensorflow_kind)});
  ASSERT_TRUE(runner);
  std::vector<float> sound(43844);
  for (std::size_t i = 0; i < sound.size(); ++i) sound[i] = static_cast<float>(i % 97) / 97.0F - 0.5F;
  const Tensor given = Tensor::of({1, 43844, 1}, sound);
  const auto saved = (*runner)->load(notes_, {}), graph = (*runner)->load(*frozen, {});
  ASSERT_TRUE(saved && graph);
  const auto one = (*saved)->run({{load_any_model(notes_)->interface.inputs.at(0).name, given}});
  const auto other = (*graph)->run({{interface->inputs.at(0).name, given}});
  ASSERT_TRUE(one) << one.error().text();
  ASSERT_TRUE(other) << other.error().text();
  for (const NamedTensor& output : *one) {
    const Tensor* same = find_value(*other, output.name + ":0");
    ASSERT_NE(same, nullptr) << output.name;
    for (std::int64_t i = 0; i < output.value.count(); ++i)
      ASSERT_NEAR(output.value.number(i), same->number(i), 1e-5) << output.name;
  }
}

}  // namespace
}  // namespace culprit
