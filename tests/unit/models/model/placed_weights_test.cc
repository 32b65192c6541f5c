#include "model/placed_weights.h"

#include <gmock/gmock.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "base/file.h"
#include "model/external_data.h"
#include "model/fingerprint.h"
#include "model/model.h"
#include "model/model_diff.h"

namespace culprit {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t large_count = static_cast<std::int64_t>(placed_tensor_bytes / 4);  // floats

onnx::TensorProto tensor(const std::string& name, std::int64_t count, float first, bool raw = true) {
  onnx::TensorProto made;
  made.set_name(name);
  made.set_data_type(onnx::TensorProto::FLOAT);
  made.add_dims(count);
  std::vector<float> values(static_cast<std::size_t>(count), first);
  if (raw) {
    made.set_raw_data(values.data(), values.size() * sizeof(float));
  } else {
    made.mutable_float_data()->Assign(values.begin(), values.end());
  }
  return made;
}

/// y = x + w + v + s: w and v large, s small.
onnx::ModelProto model_of_weights(float v = 2, bool raw = true) {
  onnx::ModelProto made;
  const std::string n = std::to_string(large_count);
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[)" + n + "] x) => (float[" + n +
                           "] y) { a = Add(x, w) b = Add(a, v) y = Add(b, s) }";
  EXPECT_TRUE(onnx::OnnxParser::Parse(made, text.c_str()).IsOK());
  *made.mutable_graph()->add_initializer() = tensor("w", large_count, 1, raw);
  *made.mutable_graph()->add_initializer() = tensor("v", large_count, v, raw);
  *made.mutable_graph()->add_initializer() = tensor("s", 1, 3, raw);
  return made;
}

TEST(Weights, ALargeTensorLeavesItsModelAndASmallOneStays) {
  onnx::ModelProto placed = model_of_weights();
  Weights weights;
  place_weights(placed, Stored::raw, weights);
  EXPECT_THAT(weights, SizeIs(2));
  EXPECT_LT(placed.ByteSizeLong(), 2000U);
  EXPECT_TRUE(placed.graph().initializer(2).has_raw_data());
  EXPECT_EQ(placeable_bytes(model_of_weights()), 2 * placed_tensor_bytes);
  EXPECT_EQ(whole_bytes(placed) / 1000, whole_bytes(model_of_weights()) / 1000);
}

TEST(Weights, PlacedOrNotTheModelMeansTheSame) {
  onnx::ModelProto placed = model_of_weights();
  Weights weights;
  place_weights(placed, Stored::raw, weights);
  EXPECT_EQ(fingerprint(placed), fingerprint(model_of_weights()));
  EXPECT_NE(fingerprint(placed), fingerprint(model_of_weights(4)));
  EXPECT_EQ(checker_complaint(placed), "");
  EXPECT_THAT(structural_warnings(model_of_weights(), placed), IsEmpty());
}

TEST(Weights, OneContentIsKeptOnce) {
  onnx::ModelProto placed = model_of_weights(1);
  Weights weights;
  place_weights(placed, Stored::raw, weights);
  EXPECT_THAT(weights, SizeIs(1));
  EXPECT_EQ(placed_content(placed.graph().initializer(0)), placed_content(placed.graph().initializer(1)));
}

TEST(Weights, TypedFieldsStayWhereOnlyThePlaceMayChange) {
  onnx::ModelProto typed = model_of_weights(2, false);
  Weights weights;
  place_weights(typed, Stored::raw, weights);
  EXPECT_THAT(weights, IsEmpty());
  EXPECT_EQ(typed.graph().initializer(0).float_data_size(), large_count);
  place_weights(typed, Stored::in_fields, weights);
  EXPECT_THAT(weights, SizeIs(2));
  EXPECT_EQ(fingerprint(typed), fingerprint(model_of_weights()));
}

TEST(Weights, DamagedTensorsStayForOthersToSee) {
  onnx::ModelProto damaged = model_of_weights();
  damaged.mutable_graph()->mutable_initializer(0)->mutable_raw_data()->pop_back();
  Weights weights;
  place_weights(damaged, Stored::in_fields, weights);
  EXPECT_THAT(weights, SizeIs(1));
  EXPECT_TRUE(damaged.graph().initializer(0).has_raw_data());
}

TEST(Weights, AModelOfAnotherThatNamesSuchAFileIsRead) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-weights").value();
  onnx::ModelProto forged = model_of_weights();
  Weights weights;
  place_weights(forged, Stored::raw, weights);
  for (auto& [content, bytes] : weights) bytes.front() = static_cast<char>(bytes.front() + 1);
  ASSERT_TRUE(write_weights(weights, folder.path()));
  EXPECT_EQ(fingerprint(forged), fingerprint(model_of_weights())) << "believed as long as it is placed";
  ASSERT_TRUE(inline_external_data(forged, folder.path()));
  EXPECT_NE(fingerprint(forged), fingerprint(model_of_weights()));
}

class WeightsOnDisk : public testing::Test {
 protected:
  WeightsOnDisk() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-weights").value()) {
    placed_ = model_of_weights();
    place_weights(placed_, Stored::raw, weights_);
    EXPECT_TRUE(write_weights(weights_, at("variants")));
    EXPECT_TRUE(save_model(placed_, at("variants") / "v.onnx"));
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_.path() / name; }
  static std::size_t files(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
  }

  TemporaryFolder folder_;
  onnx::ModelProto placed_;
  Weights weights_;
};

TEST_F(WeightsOnDisk, LieBelowTheModelAndAreFoundThere) {
  auto loaded = load_model(at("variants") / "v.onnx");
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->has_external_data);
  EXPECT_EQ(fingerprint(*loaded->proto), fingerprint(model_of_weights()));
  ASSERT_TRUE(save_whole(*loaded, at("whole.onnx")));
  EXPECT_EQ(load_proto(at("whole.onnx"))->SerializeAsString(), model_of_weights().SerializeAsString());
}

TEST_F(WeightsOnDisk, AreWrittenOnce) {
  const fs::path file = at("variants") / "weights" / weights_.begin()->first.hex();
  fs::resize_file(file, 1);  // what is there is not written again
  ASSERT_TRUE(write_weights(weights_, at("variants")));
  EXPECT_EQ(fs::file_size(file), 1U);
  EXPECT_EQ(files(at("variants") / "weights"), 2U);
}

TEST_F(WeightsOnDisk, AreLinkedNotCopied) {
  ASSERT_TRUE(link_weights(placed_, at("variants"), at("kept")));
  const std::string name = weights_.begin()->first.hex();
  EXPECT_EQ(fs::hard_link_count(at("kept") / "weights" / name), 2U);
  ASSERT_TRUE(link_weights(placed_, at("variants"), at("kept"))) << "a second variant finds them there";
}

TEST_F(WeightsOnDisk, GoIntoOneFileBesideAModelThatIsTooLarge) {
  auto loaded = load_model(at("variants") / "v.onnx");
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(fits_one_file(*loaded).value());
  fs::create_directory(at("out"));
  ASSERT_TRUE(save_with_data(*loaded, at("out") / "m.onnx"));
  EXPECT_EQ(files(at("out")), 2U);
  auto back = load_model(at("out") / "m.onnx");
  ASSERT_TRUE(back) << back.error().text();
  for (const auto& one : back->proto->graph().initializer()) {
    if (!is_external(one)) continue;
    EXPECT_EQ(external_place(one, at("out"))->offset % 4096, 0U);
  }
  ASSERT_TRUE(save_whole(*back, at("back.onnx")));
  EXPECT_EQ(load_proto(at("back.onnx"))->SerializeAsString(), model_of_weights().SerializeAsString());
}

}  // namespace
}  // namespace culprit
