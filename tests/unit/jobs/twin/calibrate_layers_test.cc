// Calibration on an executor that says what it is told to: no process, no runtime. Models and packs are real files.
#include "twin/calibrate_layers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <deque>
#include <limits>

#include "base/file.h"
#include "support/not_numbers.h"
#include "tensor/pack_file.h"
#include "tensor/tensor_proto.h"
#include "twin/deviation_nodes.h"
#include "twin/weights_in_file.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::ElementsAre;
using testing::HasSubstr;

/// Every run gives the next list of deviations, one for each deviation node; the last for ever.
class GaugeReader : public Executor {
 public:
  std::vector<std::vector<double>> says;
  std::function<std::string(std::size_t run)> refuses;  ///< a reason, or ""
  bool interrupts = false;
  std::vector<ModelProto> ran;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    RunOutcome outcome;
    outcome.job = ran.size() + 1;
    const auto model = load_model(job.model);
    if (!model) throw std::runtime_error(model.error().text());
    ModelProto whole = *model->proto;
    if (!inline_external_data(whole, job.model.parent_path())) throw std::runtime_error("weights are not there");
    const std::string reason = refuses ? refuses(ran.size()) : "";
    if (!reason.empty()) {
      outcome.failure.ending = Ending::threw;
      outcome.failure.message = reason;
    } else {
      write(job, model->interface, outcome);
    }
    ran.push_back(std::move(whole));
    done_.emplace_back(outcome);
    return outcome.job;
  }
  std::optional<Outcome> next() override {
    if (interrupts) return InterruptedOutcome{};
    if (done_.empty()) return std::nullopt;
    Outcome outcome = done_.front();
    done_.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  void write(const RunJob& job, const Interface& interface, RunOutcome& outcome) {
    const auto& values = says[std::min(ran.size(), says.size() - 1)];
    for (std::size_t sample = 0; sample < job.samples.size(); ++sample) {
      std::vector<NamedTensor> outputs;
      for (std::size_t i = 0; i < interface.outputs.size(); ++i) {
        outputs.push_back(
            {interface.outputs[i].name, Tensor::of<float>({1, 1, 1, 1}, {static_cast<float>(values.at(i))})});
      }
      outcome.outputs.push_back(job.folder / (std::to_string(sample) + ".pack"));
      if (!write_pack(outcome.outputs.back(), outputs)) throw std::runtime_error("cannot write");
    }
  }
  std::deque<RunOutcome> done_;
};

class CalibrateTest : public testing::Test {
 protected:
  Result<CalibrationFacts> run(const std::string& weights, const std::string& nodes, int opset = 17) {
    model = std::make_shared<ModelProto>(parse_model("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
                                                     "]> g (float[1,2,N,N] x) => (float[a,b,c,d] y) " + weights + " {" +
                                                     nodes + "}"));
    for (auto& tensor : *model->mutable_graph()->mutable_initializer()) {  // as seeding leaves them
      tensor = to_proto(from_proto(tensor).value(), tensor.name());
    }
    return calibrate(model, find_weights(*model), 0, {executor, folder.path(), {}});
  }

  [[nodiscard]] static std::vector<float> values(const ModelProto& of, const std::string& name) {
    for (const auto& tensor : of.graph().initializer()) {
      if (tensor.name() != name) continue;
      const Tensor read = from_proto(tensor).value();
      return {read.as<float>().begin(), read.as<float>().end()};
    }
    return {};
  }
  [[nodiscard]] std::vector<float> values(const std::string& name) const { return values(*model, name); }

  GaugeReader executor;
  TemporaryFolder folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-twin").value();
  std::shared_ptr<ModelProto> model;
};

const std::string conv_weights = "<float[2,2,1,1] w = {1, 2, 3, 4}, float[2] b = {8, 16}>";

TEST_F(CalibrateTest, AKernelIsScaledAndItsBiasJoinsLater) {
  executor.says = {{4}, {1.25}};
  const auto facts = run(conv_weights, "y = Conv(x, w, b)");
  ASSERT_TRUE(facts) << facts.error().text();
  EXPECT_THAT(values("w"), ElementsAre(0.25, 0.5, 0.75, 1));
  EXPECT_THAT(values("b"), ElementsAre(8, 16));
  ASSERT_EQ(executor.ran.size(), 2U) << "once to set, once to see";
  EXPECT_THAT(values(executor.ran[0], "b"), ElementsAre(0, 0));
  EXPECT_THAT(values(executor.ran[0], "w"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values(executor.ran[1], "b"), ElementsAre(8, 16));
  EXPECT_THAT(values(executor.ran[1], "w"), ElementsAre(0.25, 0.5, 0.75, 1));
  EXPECT_EQ(facts->layers, 1);
  EXPECT_EQ(facts->rounds, 1);
  EXPECT_EQ(facts->samples, 3);
  EXPECT_DOUBLE_EQ(facts->smallest, 1.5625);
  EXPECT_DOUBLE_EQ(facts->largest, 1.5625);
}

TEST_F(CalibrateTest, WhatIsFarFrom1IsSetAgainWithItsBias) {
  executor.says = {{1}, {2}, {2}, {1}};
  const auto facts = run(conv_weights, "y = Conv(x, w, b)");
  ASSERT_TRUE(facts);
  EXPECT_THAT(values("w"), ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_THAT(values("b"), ElementsAre(4, 8));
  EXPECT_EQ(facts->rounds, 2);
  EXPECT_EQ(facts->largest, 1);
}

TEST_F(CalibrateTest, ThereIsAnEndToIt) {
  executor.says = {{4}};
  const auto facts = run(conv_weights, "y = Conv(x, w, b)");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->rounds, 3);
  EXPECT_EQ(facts->largest, 16) << "and it is said";
}

TEST_F(CalibrateTest, GainsHaveFiveBinaryDigits) {
  executor.says = {{3.0000001}, {1}};
  ASSERT_TRUE(run(conv_weights, "y = Conv(x, w)"));
  EXPECT_THAT(values("w"), ElementsAre(0.328125, 0.65625, 0.984375, 1.3125)) << "21/64, not 1/3";
}

const std::string bn_weights = "<float[2] s = {1, 2}, float[2] o = {1, 2}, float[2] m = {1, 2}, float[2] v = {1, 2}>";

TEST_F(CalibrateTest, ANormalizationExpectsWhatComes) {
  executor.says = {{8}, {1}};
  const auto facts = run(bn_weights, "y = BatchNormalization(x, s, o, m, v)");
  ASSERT_TRUE(facts);
  EXPECT_THAT(values("m"), ElementsAre(8, 16));
  EXPECT_THAT(values("v"), ElementsAre(64, 128));
  EXPECT_THAT(values("s"), ElementsAre(1, 2));
  EXPECT_THAT(values(executor.ran[1], "deviation.0.expected"), ElementsAre(8))
      << "deviations are in units of what is expected";
}

TEST_F(CalibrateTest, ASharedKernelIsSetOnceWhereItComesFirst) {
  executor.says = {{2}, {1, 1.25}};
  const auto facts = run(conv_weights, "c = Conv(x, w) y = Conv(c, w)");
  ASSERT_TRUE(facts);
  EXPECT_THAT(values("w"), ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_EQ(facts->layers, 2);
  EXPECT_EQ(facts->largest, 1.5625);
}

TEST_F(CalibrateTest, SilentLayersAreLeftAsTheyAreAndCounted) {
  executor.says = {{0, nan, 2}, {0, nan, 1}};
  const auto facts =
      run("<float[2,2,1,1] w = {1, 2, 3, 4}, float[2,2,1,1] u = {1, 2, 3, 4}, float[2,2,1,1] t = {2, 2, 2, 2}>",
          "c = Conv(x, w) d = Conv(c, u) y = Conv(d, t)");
  ASSERT_TRUE(facts);
  EXPECT_EQ(facts->layers, 1);
  EXPECT_EQ(facts->silent, 2);
  EXPECT_THAT(values("w"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values("u"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(values("t"), ElementsAre(1, 1, 1, 1));
}

TEST_F(CalibrateTest, OtherSizesAreTriedWhereTheModelRefuses) {
  executor.says = {{1}};
  executor.refuses = [](std::size_t run) { return run < 2 ? "Incompatible dimensions" : ""; };
  EXPECT_TRUE(run(conv_weights, "y = Conv(x, w)"));
  EXPECT_EQ(executor.ran.size(), 4U);
}

TEST_F(CalibrateTest, AModelThatNeverRunsIsSaidInTheWordsOfTheRuntime) {
  executor.refuses = [](std::size_t) { return "Incompatible dimensions"; };
  const auto facts = run(conv_weights, "y = Conv(x, w)");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(facts.error().message, HasSubstr("Incompatible dimensions"));
}

TEST_F(CalibrateTest, AnInterruptEndsIt) {
  executor.says = {{1}};
  executor.interrupts = true;
  const auto facts = run(conv_weights, "y = Conv(x, w)");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::interrupted);
}

TEST_F(CalibrateTest, NothingIsRunWithoutLayersOrBroadcasting) {
  EXPECT_TRUE(run("", "y = Relu(x)"));
  EXPECT_TRUE(run(conv_weights, "y = Conv(x, w)", 6));
  EXPECT_TRUE(executor.ran.empty());
}

// --- deviation nodes
// -------------------------------------------------------------------------------------------------------

ModelProto measured(const std::string& nodes, DeviationMode mode, std::vector<std::string>& values) {
  ModelProto model = parse_model(
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1,2,4,4] x) => (float[a,b,c,d] y) "
      "<float[2,2,1,1] w = {1, 2, 3, 4}, float[2] s = {1, 2}, float[2] o = {1, 2}, "
      "float[2] m = {1, 2}, float[2] v = {1, 2}> {" +
      nodes + "}");
  const WeightMap map = find_weights(model);
  values = add_deviation_nodes(model, map.layers, std::vector<double>(map.layers.size(), 1), mode);
  return model;
}

const onnx::NodeProto& maker(const ModelProto& model, const std::string& value) {
  for (const auto& node : model.graph().node()) {
    for (const auto& output : node.output()) {
      if (output == value) return node;
    }
  }
  throw std::runtime_error("nothing makes " + value);
}

TEST(DeviationNodes, ThatMeasureChangeNoEdge) {
  std::vector<std::string> values;
  const ModelProto model =
      measured("c = Conv(x, w) y = BatchNormalization(c, s, o, m, v)", DeviationMode::measure, values);
  EXPECT_THAT(values, ElementsAre("deviation.0.deviation", "deviation.1.deviation"));
  EXPECT_EQ(maker(model, "c").op_type(), "Conv");
  EXPECT_EQ(maker(model, "y").input(0), "c");
  EXPECT_EQ(maker(model, "deviation.1.mean").input(0), "c") << "a normalization is measured by what it takes";
}

TEST(DeviationNodes, ThatAdaptScaleWhatIsBehind) {
  std::vector<std::string> values;
  const ModelProto model =
      measured("c = Conv(x, w) d = Conv(c, w) y = BatchNormalization(d, s, o, m, v)", DeviationMode::adapt, values);
  EXPECT_THAT(values, ElementsAre("deviation.0.deviation", "", "deviation.2.deviation"));
  EXPECT_EQ(maker(model, "c").op_type(), "Div");
  EXPECT_EQ(maker(model, "c").input(0), "deviation.0.raw");
  EXPECT_EQ(maker(model, "d").input(1), "deviation.0.deviation") << "the kernel is shared, so its scale is";
  EXPECT_EQ(maker(model, "y").input(0), "deviation.2.scaled");
  EXPECT_EQ(maker(model, "deviation.2.scaled").input(0), "d");
}

TEST(DeviationNodes, NamesOfTheModelAreNotTaken) {
  std::vector<std::string> values;
  measured("deviation1 = Conv(x, w) y = Relu(deviation1)", DeviationMode::measure, values);
  EXPECT_THAT(values, ElementsAre("deviation_.0.deviation"));
}

TEST(WeightsInFile, WeightsLieBesideAndTheModelKeepsItsOwn) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-twin").value();
  ModelProto model;
  for (const char* name : {"a", "b"}) {
    *model.mutable_graph()->add_initializer() =
        to_proto(Tensor::of<float>({301}, std::vector<float>(301, name[0])), name);
  }
  *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<float>({2}, {1, 2}), "small");
  const std::string before = model.SerializeAsString();
  auto copy = with_weights_in_file(model, folder.path() / "weights");
  ASSERT_TRUE(copy) << copy.error().text();
  EXPECT_EQ(model.SerializeAsString(), before);
  EXPECT_LT(copy->ByteSizeLong(), 300U);
  EXPECT_FALSE(copy->graph().initializer(0).has_raw_data());
  EXPECT_TRUE(copy->graph().initializer(2).has_raw_data());
  ASSERT_TRUE(inline_external_data(*copy, folder.path()));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(from_proto(copy->graph().initializer(i))->identical(*from_proto(model.graph().initializer(i))));
  }
}

}  // namespace
}  // namespace culprit
