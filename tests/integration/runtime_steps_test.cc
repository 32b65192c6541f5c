// `--optimizer onnxruntime`: what the runtime itself does to a model, step by step. Faults are planted in its steps by
// a library that hands all else to the real one, and counts its sessions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "runtime/find_library.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::Le;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

std::string numbers_from(int count, int from = -50) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += (i == 0 ? "" : ", ") + std::to_string(0.01F * static_cast<float>(from + i * 37 % 100));
  return list;
}

/// Ten transformers change it, one of them the container of the rules: so there are 30 steps that may have.
std::string of_many_steps() {
  return R"(<ir_version: 8, opset_import: ["" : 17]>
many (float[1,4,8,8] x, float[2,16] s) => (float[1,4,8,8] y, float[2,16] z)
<float[4,4,3,3] W = {)" +
         numbers_from(144) + "}, float[4] b = {" + numbers_from(4) + "}, float[4] scale = {" + numbers_from(4, 60) +
         "}, float[4] shift = {" + numbers_from(4) + "}, float[4] mean = {" + numbers_from(4) +
         "}, float[4] variance = {" + numbers_from(4, 60) + "}, float[16,16] M = {" + numbers_from(256) +
         "}, float[16] c = {" + numbers_from(16) + "}, float[16] gain = {" + numbers_from(16, 50) +
         "}, float[16] bias = {" + numbers_from(16) + R"(},
 float two = {2}, float one = {1}, float half = {0.5}, float root = {1.41421356}, float ep = {0.00001},
 int64[2] shape = {2, 16}, float third = {0.3333}>
{
  i = Identity(x)
  n0 = Conv<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(i, W, b)
  n1 = BatchNormalization(n0, scale, shift, mean, variance)
  n2 = Relu(n1)
  t1 = Transpose<perm = [0, 2, 3, 1]>(n2)
  t2 = Transpose<perm = [0, 3, 1, 2]>(t1)
  n3 = Conv<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(t2, W, b)
  y = Sigmoid(n3)
  m0 = MatMul(s, M)
  m1 = Add(m0, c)
  mu = ReduceMean<axes = [-1], keepdims = 1>(m1)
  d = Sub(m1, mu)
  sq = Pow(d, two)
  va = ReduceMean<axes = [-1], keepdims = 1>(sq)
  ve = Add(va, ep)
  sd = Sqrt(ve)
  no = Div(d, sd)
  g1 = Mul(no, gain)
  g2 = Add(g1, bias)
  e0 = Div(g2, root)
  e1 = Erf(e0)
  e2 = Add(e1, one)
  e3 = Mul(g2, e2)
  e4 = Mul(e3, half)
  r1 = Reshape(e4, shape)
  cs = Shape(r1)
  r2 = Reshape(r1, cs)
  q = Mul(r2, third)
  mm = MatMul(q, M)
  sc = Mul(mm, third)
  same1 = Exp(sc)
  same2 = Exp(sc)
  sum = Add(same1, same2)
  z = Tanh(sum)
})";
}

/// Which steps are wrong, and who is to be named for it.
struct Plant {
  const char* name;                                ///< of the test
  const char* rule;                                ///< as planted_runtime.cc reads it
  std::vector<std::vector<std::string>> culprits;  ///< of each fault
  std::vector<std::string> off;                    ///< to be left out; of a pair one, whichever
};

constexpr const char* rules = "/Level1_RuleBasedTransformer";
const std::string& rule(const std::string& name) {
  static std::set<std::string> kept;
  return *kept.insert(name + rules).first;
}

Plant single(const char* step, bool is_rule = false) {
  return {step, is_rule ? rule(step).c_str() : step, {{step}}, {step}};
}
Plant two(const char* name, const std::string& one, const char* sign, const std::string& other,
          std::vector<std::vector<std::string>> culprits, std::vector<std::string> off) {
  static std::set<std::string> kept;
  return {name, kept.insert(one + sign + other).first->c_str(), std::move(culprits), std::move(off)};
}

std::vector<Plant> plants() {
  std::vector<Plant> all;
  for (const char* step :
       {"CommonSubexpressionElimination", "ConstantFolding", "MatMulAddFusion", "ReshapeFusion", "LayerNormFusionL1",
        "TransposeOptimizer", "ConvActivationFusion", "GeluFusionL2", "MatMulScaleFusion", "NchwcTransformer"})
    all.push_back(single(step));
  for (const char* step : {"EliminateIdentity", "ConvBNFusion", "Pad_Fusion", "NoopElimination", "FuseReluClip"})
    all.push_back(single(step, true));
  // These say that they change nothing, and stand in the log all the same.
  for (const char* step :
       {"QuickGeluFusion", "AttentionFusion", "GatherToSliceFusion", "ConstantSharing", "QDQFinalCleanupTransformer"})
    all.push_back(single(step));
  const auto pair = [&](const char* name, const std::string& one, const std::string& other, bool of_rules = false) {
    const auto planted = [&](const std::string& step) { return of_rules ? rule(step) : step; };
    all.push_back(two(name, planted(one), "&", planted(other), {{one, other}}, {one}));
  };
  pair("PairFoldingNchwc", "ConstantFolding", "NchwcTransformer");
  pair("PairCseTranspose", "CommonSubexpressionElimination", "TransposeOptimizer");
  pair("PairMatMulGelu", "MatMulAddFusion", "GeluFusionL2");
  pair("PairReshapeScale", "ReshapeFusion", "MatMulScaleFusion");
  pair("PairNormConv", "LayerNormFusionL1", "ConvActivationFusion");
  pair("PairTransposeNchwc", "TransposeOptimizer", "NchwcTransformer");
  pair("PairFoldingScale", "ConstantFolding", "MatMulScaleFusion");
  pair("PairIdentityBn", "EliminateIdentity", "ConvBNFusion", true);
  pair("PairNoopPad", "NoopElimination", "Pad_Fusion", true);
  pair("PairSharingCleanup", "ConstantSharing", "QDQFinalCleanupTransformer");
  const auto masks = [&](const char* name, const std::string& one, const std::string& other) {
    all.push_back(two(name, one, ">", other, {{one}, {other}}, {one, other}));
  };
  masks("MaskFoldingByCse", "CommonSubexpressionElimination", "ConstantFolding");
  masks("MaskGeluByMatMul", "MatMulAddFusion", "GeluFusionL2");
  masks("MaskNchwcByReshape", "ReshapeFusion", "NchwcTransformer");
  masks("MaskScaleByNorm", "LayerNormFusionL1", "MatMulScaleFusion");
  masks("MaskConvByTranspose", "TransposeOptimizer", "ConvActivationFusion");
  const auto either = [&](const char* name, const std::string& one, const std::string& other) {
    all.push_back(two(name, one, "|", other, {{one}, {other}}, {one, other}));
  };
  either("EitherFoldingOrCse", "CommonSubexpressionElimination", "ConstantFolding");
  either("EitherMatMulOrGelu", "MatMulAddFusion", "GeluFusionL2");
  either("EitherReshapeOrNchwc", "ReshapeFusion", "NchwcTransformer");
  either("EitherNormOrScale", "LayerNormFusionL1", "MatMulScaleFusion");
  either("EitherTransposeOrConv", "TransposeOptimizer", "ConvActivationFusion");
  return all;
}

/// Lines that the library wrote: the event alone.
std::map<std::string, int> counted_in(const fs::path& file) {
  std::map<std::string, int> counts;
  std::ifstream in(file);
  for (std::string event, process; in >> event >> process;) ++counts[event];
  return counts;
}

class PlantedSteps : public ::testing::TestWithParam<Plant> {
 protected:
  void SetUp() override {
    onnx::ModelProto made;
    const auto parsed = onnx::OnnxParser::Parse(made, of_many_steps().c_str());
    ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    std::ofstream(model(), std::ios::binary) << made.SerializeAsString();
  }
  void TearDown() override {
    for (const char* name : {"CULPRIT_TEST_REAL_RUNTIME", "CULPRIT_TEST_PLANTED", "CULPRIT_TEST_COUNTS"})
      ::unsetenv(name);
  }

  [[nodiscard]] fs::path model() const { return folder_.path() / "many.onnx"; }

  /// With the fault planted.
  Ran localize() {
    ::setenv("CULPRIT_TEST_REAL_RUNTIME", find_onnxruntime("").value().c_str(), 1);
    ::setenv("CULPRIT_TEST_PLANTED", GetParam().rule, 1);
    ::setenv("CULPRIT_TEST_COUNTS", (folder_.path() / "counts").c_str(), 1);
    const fs::path run = folder_.path() / "run";
    Ran ran = culprit({"localize", model().string(), "--optimizer", "onnxruntime", "--runtime",
                       CULPRIT_TEST_PLANTED_RUNTIME, "--samples", "1", "--no-repro", "--run-dir", run.string()});
    const auto text = read_file(run / "report.json", 64 << 20);
    if (text) ran.report = json::parse(*text);
    return ran;
  }

  /// Sessions that the search took: without the baseline (nothing left out; the round trip, where all is; the saved
  /// models of both, and of the one that is made twice), and without confirmations.
  [[nodiscard]] int searched(const json& faults) const {
    const auto counts = counted_in(folder_.path() / "counts");
    constexpr int confirmations = 2, round_trip = 1, saved_of_baseline = 3;
    const int confirming = confirmations * static_cast<int>(faults.size());
    return counts.at("parts") - round_trip - confirming + counts.at("saved") - saved_of_baseline;
  }

 private:
  TemporaryFolder folder_ = scratch();
};

int log2_up(int number) { return static_cast<int>(std::bit_width(static_cast<unsigned>(number - 1))); }

TEST_P(PlantedSteps, AreNamedWithAWorkaroundThatHolds) {
  CULPRIT_ONE_OF(8);
  const Ran ran = localize();
  ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
  const json& report = ran.report["models"][0];
  std::vector<std::vector<std::string>> culprits;
  for (const json& fault : report["faults"]) culprits.push_back(fault["culprits"]);
  EXPECT_THAT(culprits, UnorderedElementsAreArray(GetParam().culprits)) << ran.out;
  for (const json& fault : report["faults"]) {
    const std::vector<std::string> off = fault["to_disable"];
    if (GetParam().culprits[0].size() == 1)
      EXPECT_THAT(off, UnorderedElementsAreArray(GetParam().off));
    else
      EXPECT_THAT(off, SizeIs(1));
  }
  EXPECT_FALSE(report["safe_recipe"]["verified"].is_null()) << ran.out;
  EXPECT_EQ(report["safe_recipe"]["disabled"], report["faults"][0]["to_disable"]);
  const int k = 30;
  const bool is_single = GetParam().culprits.size() == 1 && GetParam().culprits[0].size() == 1;
  const int most = is_single ? 2 * log2_up(k + 1) + 4 : 4 * k;
  RecordProperty("sessions", searched(report["faults"]));
  EXPECT_THAT(searched(report["faults"]), Le(most));
}

INSTANTIATE_TEST_SUITE_P(All, PlantedSteps, ::testing::ValuesIn(plants()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace culprit::testing
