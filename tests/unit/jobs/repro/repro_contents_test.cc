#include "repro/repro_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

/// What a check hands over of a fault that one pass makes at the deploy level.
class Contents : public ::testing::Test {
 protected:
  Contents() {
    model.path = "/somewhere/private/net.onnx";
    fault.id = "F1";
    fault.culprits = {"a"};
    fault.signature = "diverged | a";
    fault.message = "a: output 'y' differs";
    options.session.custom_ops = {"/somewhere/private/libops.so"};
  }

  ReproContents contents() {
    const fs::path inputs = folder_.path() / "in.pack", outputs = folder_.path() / "out.pack";
    EXPECT_TRUE(write_pack(inputs, std::vector<NamedTensor>{{"x", Tensor::of<float>({1}, {1})}}));
    EXPECT_TRUE(write_pack(outputs, std::vector<NamedTensor>{{"y", Tensor::of<float>({2}, {3, -3})}}));
    SessionOptions session = options.session;
    session.level = Level::all;
    Measurement measured;
    measured.atol = 7;  // of another sample
    FaultCase shown{model,
                    options,
                    fault,
                    {"onnx_optimizer", {"a"}, Repeat::once},
                    Contract::equivalent,
                    session,
                    "off",
                    "",
                    inputs,
                    outputs,
                    {},
                    {{"y", measured}},
                    {{"y", explained()}},
                    "1.22.1",
                    "2/2"};
    return contents_of(shown, {"0.1.0", "0.4.2", "1.19.0", ""}).value();
  }

  /// The second element moves further than the first.
  static Explained explained() {
    const Tensor r = Tensor::of<float>({2}, {3, -3});
    Drawn drawn;
    for (int i = 0; i < 3; ++i) add_draw(drawn, r, Tensor::of<float>({2}, {3.125F, -4}), 1);
    Explained made = explain(r, std::move(drawn));
    made.scales[0].deviation = 0.125;
    made.scales[0].limit = 0.5;
    return made;
  }

  Model model;
  FaultRecord fault;
  CheckOptions options;
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-contents-").value();
};

TEST_F(Contents, AreTheSampleAndHowItWasJudged) {
  const ReproContents made = contents();
  EXPECT_EQ(made.facts.level, "all");
  EXPECT_EQ(made.facts.reference_level, "off");
  EXPECT_EQ(made.facts.versions.onnxruntime, "1.22.1");
  EXPECT_THAT(made.facts.recipe.passes, ElementsAre("a"));
  EXPECT_EQ(made.inputs.at(0).name, "x");
  EXPECT_EQ(made.outputs.at(0).name, "y");
}

TEST_F(Contents, LimitsAreThoseOfThisSample) {
  const ReproLimit limit = contents().facts.limits.at("y");
  EXPECT_NEAR(limit.atol, 3e-4, 1e-9) << "1e-4 x RMS";
  EXPECT_EQ(limit.rtol, 1e-3);
  EXPECT_EQ(limit.floor, 0.5);
  EXPECT_THAT(limit.ties, ElementsAre(1));
  options.tolerance.atol = 0.25;
  EXPECT_EQ(contents().facts.limits.at("y").atol, 0.25);
}

TEST_F(Contents, NameNoFolderOfTheirMaker) {
  const ReproContents made = contents();
  EXPECT_EQ(made.facts.source, "net.onnx");
  EXPECT_THAT(made.facts.custom_ops, ElementsAre("libops.so"));
}

}  // namespace
}  // namespace culprit
