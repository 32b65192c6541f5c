#include "repro/repro_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "model/fingerprint.h"
#include "model/placed_weights.h"
#include "repro_samples.h"
#include "tensor/structured_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Bundles : public ::testing::Test {
 protected:
  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

  std::vector<std::string> entries(const fs::path& place) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(place))
      names.push_back(fs::relative(entry.path(), place).string());
    std::ranges::sort(names);
    return names;
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-bundle-").value();
};

TEST_F(Bundles, HaveTheLayoutOfOnnxsBackendTests) {
  const Bundle bundle = sample_bundle(folder(), sample_facts());
  EXPECT_THAT(
      entries(folder() / "repro"),
      ElementsAre("F1", "F1/README.md", "F1/model.onnx", "F1/repro.json", "F1/repro.py", "F1/test_data_set_0",
                  "F1/test_data_set_0/input_0.pb", "F1/test_data_set_0/output_0.pb", "F1/test_data_set_0/output_1.pb"));
  const auto z = read_tensor_proto(bundle.folder / "test_data_set_0/output_1.pb").value();
  EXPECT_EQ(z.name, "z");
  EXPECT_EQ(z.value.number(0), -3);
  EXPECT_EQ(bundle.facts.outputs[1], (ReproValue{"z", "output_1.pb", {"tensor"}})) << "as the model declares it";
  EXPECT_EQ(bundle.facts.model.nodes, 2);
  EXPECT_EQ(bundle.facts.model.fingerprint, fingerprint(sample_model()).hex());
  EXPECT_EQ(bundle.facts.variant.fingerprint, "");
  EXPECT_TRUE((fs::status(bundle.folder / "repro.py").permissions() & fs::perms::owner_exec) != fs::perms::none);
}

TEST_F(Bundles, SequencesAndMapsAreWrittenAsSuch) {
  const Value list = {.kind = Value::Kind::sequence,
                      .items = {{.kind = Value::Kind::tensor, .tensor = Tensor::of<float>({1}, {2})}}};
  ASSERT_TRUE(save_model(sample_model(), folder() / "net.onnx"));
  ReproContents contents{sample_facts(), folder() / "net.onnx", "", {}, flatten("list", list).value(), {}};
  ASSERT_TRUE(write_bundle(contents, folder() / "F1"));
  const auto bundle = read_bundle(folder() / "F1" / "repro.json").value();
  EXPECT_THAT(bundle.facts.outputs[0].form[0], "sequence");
  EXPECT_TRUE(fs::exists(folder() / "F1/test_data_set_0/output_0.pb"));
  EXPECT_FALSE(fs::exists(folder() / "F1/test_data_set_0/output_1.pb")) << "one file a value";
}

TEST_F(Bundles, WhatWasThereGoesAndAFailureLeavesIt) {
  sample_bundle(folder(), sample_facts());
  std::ofstream(folder() / "repro/F1/old") << "x";
  sample_bundle(folder(), sample_facts());
  EXPECT_FALSE(fs::exists(folder() / "repro/F1/old"));
  ReproContents broken;
  broken.facts = sample_facts();
  broken.model = folder() / "nowhere.onnx";
  EXPECT_FALSE(write_bundle(broken, folder() / "repro/F1"));
  EXPECT_TRUE(fs::exists(folder() / "repro/F1/model.onnx"));
  EXPECT_THAT(entries(folder() / "repro"), ::testing::SizeIs(9)) << "nothing half done beside it";
}

TEST_F(Bundles, PlacedWeightsComeAlong) {
  onnx::ModelProto model = sample_model();
  const std::vector<float> many(32'768, 0.5F);
  *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<float>({32'768}, many), "w");
  Weights weights;
  place_weights(model, Stored::in_fields, weights);
  ASSERT_EQ(weights.size(), 1U);
  ASSERT_TRUE(write_weights(weights, folder()));
  ASSERT_TRUE(save_model(model, folder() / "placed.onnx"));
  ReproContents contents{sample_facts(), folder() / "placed.onnx", folder() / "placed.onnx", {}, {}, {}};
  ASSERT_TRUE(write_bundle(contents, folder() / "F1"));
  const fs::path weight = fs::path("weights") / weights.begin()->first.hex();
  EXPECT_TRUE(fs::exists(folder() / "F1" / weight));
  EXPECT_EQ(fs::hard_link_count(folder() / "F1" / weight), 2U);
  EXPECT_TRUE(load_model(folder() / "F1" / "variant.onnx"));
}

TEST_F(Bundles, OtherExternalDataAreBroughtInside) {
  onnx::ModelProto model = sample_model();
  auto& tensor = *model.mutable_graph()->add_initializer();
  tensor = to_proto(Tensor::of<float>({2}, {1, 2}), "w");
  std::ofstream(folder() / "blob", std::ios::binary) << tensor.raw_data();
  tensor.clear_raw_data();
  tensor.set_data_location(onnx::TensorProto::EXTERNAL);
  auto* location = tensor.add_external_data();
  location->set_key("location");
  location->set_value("blob");
  ASSERT_TRUE(save_model(model, folder() / "outside.onnx"));
  ReproContents contents{sample_facts(), folder() / "outside.onnx", "", {}, {}, {}};
  ASSERT_TRUE(write_bundle(contents, folder() / "F1"));
  EXPECT_FALSE(load_model(folder() / "F1" / "model.onnx")->has_external_data);
}

TEST_F(Bundles, WhatIsNoneIsNamed) {
  EXPECT_EQ(read_bundle(folder() / "nowhere").error().kind, ErrorKind::not_found);
  EXPECT_THAT(read_bundle(folder()).error().message, HasSubstr("is no repro"));
  sample_bundle(folder(), sample_facts());
  std::ofstream(folder() / "repro/F1/model.onnx") << "x";
  EXPECT_THAT(read_bundle(folder() / "repro/F1").error().message, HasSubstr("model.onnx"));
}

}  // namespace
}  // namespace culprit
