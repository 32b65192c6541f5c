#include <gmock/gmock.h>

#include <cstring>

#include "base/file.h"
#include "network/model_of_file.h"
#include "unit/models/network/tensorflow_samples.h"
#include "unit/models/network/tflite_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ModelOfFile : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path written(const std::string& name, const std::string& bytes) const {
    fs::create_directories((folder_.path() / name).parent_path());
    EXPECT_TRUE(write_file_atomic(folder_.path() / name, bytes));
    return folder_.path() / name;
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-any-model").value();
};

/// Takes the field signature_defs out of the model's table: of a FlatBuffer its place in the vtable becomes 0.
std::string without_signatures(std::string bytes) {
  constexpr std::size_t field = 7;
  const auto at = [&](std::size_t place, auto number) {
    std::memcpy(&number, bytes.data() + place, sizeof number);
    return number;
  };
  const std::size_t root = at(0, std::uint32_t{});
  const std::size_t vtable = root - static_cast<std::size_t>(at(root, std::int32_t{}));
  bytes[vtable + 4 + 2 * field] = bytes[vtable + 5 + 2 * field] = 0;
  return bytes;
}

TEST_F(ModelOfFile, TfliteIsFedByTheNamesOfItsSignatureOrOfItsTensors) {
  const auto plain = load_any_model(written("plain.tflite", without_signatures(std::string(small_tflite().bytes()))));
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_THAT(plain->facts.inputs, ElementsAre("input: float32[1,4,4,2]"));
  EXPECT_THAT(plain->facts.outputs, ElementsAre("output: float32[1,4,4,3]"));

  const auto model = load_any_model(CULPRIT_SOURCE "/tests/golden/tflite/small.tflite");
  ASSERT_TRUE(model) << model.error().text();
  EXPECT_EQ(model->proto, nullptr);
  EXPECT_THAT(model->facts.inputs, ElementsAre("x: float32[1,4,4,2]"));
  EXPECT_THAT(model->facts.outputs, ElementsAre("y: float32[1,4,4,3]"));
  EXPECT_EQ(model->interface.outputs.at(0).tensor, "output");
  EXPECT_EQ(plain->interface.outputs.at(0).tensor, "");
  EXPECT_EQ(model->facts.bytes, small_tflite().bytes().size());
  EXPECT_THAT(model->facts.sha256, SizeIs(64));
  EXPECT_EQ(model->facts.nodes, 3);
  EXPECT_EQ(model->facts.initializers, 3);
}

TEST_F(ModelOfFile, AGraphIsFedByTensorsAndASavedModelByItsSignature) {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", 1, {-1, 3});
  add_tensorflow_node(*graph.mutable_nodes(), "y", "Relu", {"x"});
  const auto frozen = load_any_model(written("graph.pb", graph.SerializeAsString()));
  ASSERT_TRUE(frozen) << frozen.error().text();
  EXPECT_THAT(frozen->facts.inputs, ElementsAre("x:0: float32[?,3]"));
  EXPECT_THAT(frozen->facts.outputs, ElementsAre("y:0: ?"));
  EXPECT_EQ(frozen->facts.nodes, 2);

  const fs::path file = written("saved/saved_model.pb", small_saved_model().SerializeAsString());
  const auto saved = load_any_model(folder() / "saved");
  ASSERT_TRUE(saved) << saved.error().text();
  EXPECT_THAT(saved->facts.inputs, ElementsAre("x: float32[?,3]"));
  EXPECT_EQ(saved->interface.outputs.at(0).name, "y");
  for (const fs::path& other : {file, folder() / "saved" / ""}) {
    const auto same = load_any_model(other);
    ASSERT_TRUE(same) << same.error().text();
    EXPECT_EQ(same->path, folder() / "saved");
    EXPECT_EQ(same->facts.sha256, saved->facts.sha256);
  }
  (void)written("saved/variables/variables.index", "other weights");
  EXPECT_NE(load_any_model(folder() / "saved")->facts.sha256, saved->facts.sha256);
}

TEST_F(ModelOfFile, OfABrokenFileItSaysWhichAndWhatIsWrong) {
  const auto tflite = load_any_model(written("cut.tflite", std::string(small_tflite().bytes().substr(0, 60))));
  ASSERT_FALSE(tflite);
  EXPECT_THAT(tflite.error().message, HasSubstr("cut.tflite"));
  const auto graph = load_any_model(written("graph.pb", std::string("\x0a\x02\x0a\x00", 4)));
  ASSERT_FALSE(graph);
  EXPECT_THAT(graph.error().message, HasSubstr("graph.pb: "));
}

TEST_F(ModelOfFile, AllElseIsForTheLoaderOfOnnx) {
  const auto missing = load_any_model(folder() / "none.onnx");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().text(), load_model(folder() / "none.onnx").error().text());
}

}  // namespace
}  // namespace culprit
