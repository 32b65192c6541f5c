#include "repro/pair/pair_repro.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/folder.h"
#include "conversion/diagnose.h"
#include "model/model.h"
#include "network/onnx/read_onnx_network.h"
#include "support/conversion_faults.h"
#include "support/tensor_executor.h"
#include "tensor/npy.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::lost_operator;
using testing::Wholes;
using testing::wrong_attribute;
using testing::wrong_weight;

/// Small, so that a diagnosis takes little time.
onnx::ModelProto small_net() {
  testing::NetBuilder net(4);
  std::string x = net.op("Relu", {net.conv("x", {.in = 2, .out = 4})});
  x = net.op("MaxPool", {net.conv(x, {.in = 4, .out = 4})},
             {{"kernel_shape", Wholes{2, 2}}, {"strides", Wholes{2, 2}}});
  x = net.op("Relu", {net.dense(net.op("Flatten", {x}), 36, 8)});
  x = net.dense(x, 8, 5);
  return net.model({{"x", {1, 2, 6, 6}}}, {{x, {1, 5}}});
}

class PairRepros : public ::testing::Test {
 protected:
  /// Diagnoses the net against what this mistake makes of it; the first fault is the one to show.
  Result<PairRepro> repro_of(const onnx::ModelProto& source, const testing::Fault& mistake,
                             const std::vector<testing::Fault>& rewritings = {}) {
    onnx::ModelProto target = source;
    mistake(target);
    for (const testing::Fault& rewriting : rewritings) rewriting(target);
    testing::rename_all(target);
    for (const char* name : {"one", "other", "work"}) EXPECT_TRUE(make_folder(folder() / name));
    one_ = open_onnx_side({source, folder() / "one"}, read_onnx_network(source).value(), {});
    other_ = open_onnx_side({target, folder() / "other"}, read_onnx_network(target).value(), {});
    for (const auto& sample : testing::samples_for(source, 2)) {
      samples_.push_back(folder() / (std::to_string(samples_.size()) + ".pack"));
      EXPECT_TRUE(write_pack(samples_.back(), sample));
    }
    DiagnoseOptions options;
    options.draws = 1;
    auto found = diagnose_and_keep(*one_, *other_, {samples_, {}, {}}, options, {executor_, folder() / "work", {}, {}});
    if (!found) return tl::unexpected(found.error());
    if (found->faults.empty()) return fail(ErrorKind::internal, "no fault was found");
    fault_ = found->faults.front();
    target_samples_ = found->target.samples;
    return write();
  }

  Result<PairRepro> write() {
    return write_pair_repro(fault_, {*one_, samples_, "net.onnx"}, {*other_, target_samples_, "made.onnx"},
                            {executor_, folder() / "pair", "1.0", tolerance_}, folder() / "repro" / "F1");
  }

  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }
  [[nodiscard]] fs::path file(const std::string& name) const { return folder() / "repro" / "F1" / name; }
  [[nodiscard]] nlohmann::json facts() const { return nlohmann::json::parse(read_file(file("repro.json")).value()); }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder() / "repro" / "F1"))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  /// "Conv, Relu"
  [[nodiscard]] std::string operators_of(const std::string& name) const {
    std::string types;
    const auto model = load_proto(file(name)).value();
    for (const auto& node : model.graph().node()) types += (types.empty() ? "" : ", ") + node.op_type();
    return types;
  }

  MendableFault fault_;
  Tolerance tolerance_;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-pairs-").value();
  testing::TensorExecutor executor_;
  std::unique_ptr<Side> one_, other_;
  std::vector<fs::path> samples_, target_samples_;
};

TEST_F(PairRepros, HoldTheLayerAloneWithTheSourcesValues) {
  const auto made = repro_of(small_net(), wrong_weight("Gemm", 1, 1, testing::one_wrong));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(names(), ElementsAre("README.md", "expected.npz", "inputs_source.npz", "inputs_target.npz", "repro.json",
                                   "repro.py", "source.onnx", "target.onnx"));
  EXPECT_EQ(operators_of("source.onnx"), "Gemm");
  EXPECT_EQ(operators_of("target.onnx"), "Gemm");
  EXPECT_EQ(load_proto(file("target.onnx")).value().graph().initializer_size(), 2) << "no weights of other layers";
  EXPECT_EQ(made->source_nodes, 1);
  EXPECT_EQ(made->target_nodes, 1);
  EXPECT_EQ(made->no_source, "");
  EXPECT_GT(made->largest_difference, 0.1);
}

TEST_F(PairRepros, TellWhatIsWhere) {
  ASSERT_TRUE(repro_of(small_net(), wrong_weight("Gemm", 1, 1, testing::one_wrong)));
  const auto told = facts();
  EXPECT_EQ(told["schema"], pair_repro_schema);
  EXPECT_EQ(told["fault"]["class"], "parameter");
  EXPECT_EQ(told["source"]["file"], "source.onnx");
  EXPECT_EQ(told["source"]["output"], told["output"]["source"]);
  ASSERT_EQ(told["inputs"].size(), 1U);
  EXPECT_EQ(told["inputs"][0]["target_input"], told["target"]["inputs"]["input_0"]);
  EXPECT_FALSE(told["limit"]["is_strict"]);
  EXPECT_GT(told["difference"]["beyond_tolerance"], 0);
  const std::string text = read_file(file("README.md")).value();
  EXPECT_THAT(text, HasSubstr("# Conversion of `Gemm`: numbers of a weight are changed\n"));
  EXPECT_THAT(text, HasSubstr("pip install numpy onnxruntime\n"));
}

/// What the target should give is what the source gives, in the target's own order of axes.
TEST_F(PairRepros, LayOutWhatIsExpected) {
  const auto made =
      repro_of(small_net(), wrong_weight("Conv", 1, 1, testing::one_wrong), {testing::channels_last_input});
  ASSERT_TRUE(made) << made.error().text();
  const auto expected = read_npz(file("expected.npz")).value();
  ASSERT_EQ(expected.size(), 2U);
  EXPECT_EQ(expected[0].name, "source");
  EXPECT_EQ(expected[0].value.count(), expected[1].value.count());
}

TEST_F(PairRepros, HaveNoTargetWhereNoLayerStandsThere) {
  const auto made = repro_of(small_net(), lost_operator("Relu", 0));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(made->target_nodes, 0);
  EXPECT_EQ(operators_of("source.onnx"), "Relu");
  EXPECT_TRUE(facts()["target"].is_null());
  const auto expected = read_npz(file("expected.npz")).value();
  ASSERT_EQ(expected.size(), 3U);
  EXPECT_EQ(expected[2].name, "handed_on");
  EXPECT_THAT(read_file(file("README.md")).value(), HasSubstr("hands on what it gets"));
}

TEST_F(PairRepros, TellOfAnotherShape) {
  const auto made = repro_of(small_net(), wrong_attribute("MaxPool", 0, "strides", Wholes{1, 1}));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(std::string(facts()["difference"]["note"]), HasSubstr("became"));
}

/// What was rounded is a fault though no element is beyond the tolerance.
TEST_F(PairRepros, AreStrictWhereAllIsWithinTheTolerance) {
  tolerance_ = {.atol = 0.1, .rtol = 0.1};
  const auto made = repro_of(small_net(), wrong_weight("Conv", 1, 1, testing::to_half));
  ASSERT_TRUE(made) << made.error().text();
  const auto limit = facts()["limit"];
  EXPECT_TRUE(limit["is_strict"]);
  EXPECT_LT(limit["floor"], made->largest_difference);
}

TEST_F(PairRepros, AreNotMadeWithoutARegion) {
  ASSERT_TRUE(repro_of(small_net(), wrong_weight("Gemm", 1, 1, testing::one_wrong)));
  fault_.region.reset();
  const auto made = write();
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(made.error().message, HasSubstr("it has no region of its own"));
}

}  // namespace
}  // namespace culprit
