// What a converter computes once, the target may compute twice.
#include "conversion/sides/twins.h"

#include "diagnose_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::wrong_weight;

class Twins : public testing::DiagnoseBench {
 protected:
  /// Two dense layers take the same value, which is computed once, or once for each.
  static onnx::ModelProto model_of(bool is_twice) {
    testing::NetBuilder net(4);
    const auto given = [&] { return net.op("Relu", {net.op("Sub", {"x", net.scalar(0.25F)})}); };
    const std::string first = given(), second = is_twice ? given() : first;
    const std::string one = net.op("Tanh", {net.dense(first, 12, 9)});
    const std::string other = net.op("Sigmoid", {net.dense(second, 12, 9)});
    const std::string y = net.dense(net.op("Mul", {one, other}), 9, 5);
    return net.model({{"x", {1, 12}}}, {{y, {1, 5}}});
  }
};

TEST_F(Twins, AreToldByWhatTheyAreComputedOf) {
  const Network network = read_onnx_network(model_of(true)).value();
  const auto twins = twins_of(network);
  std::vector<std::string> types;
  for (const NetworkLayer& layer : network.layers)
    if (twins[static_cast<std::size_t>(layer.outputs[0])].size() == 2) types.push_back(layer.type);
  EXPECT_THAT(types, ElementsAre("Sub", "Relu", "Sub", "Relu"));
  for (const auto& none : twins_of(read_onnx_network(model_of(false)).value())) EXPECT_THAT(none, IsEmpty());
}

TEST_F(Twins, NothingIsBlamedWhereTheTargetComputesTwice) {
  const Diagnosis found = diagnose_models(model_of(false), model_of(true));
  EXPECT_EQ(found.status, DiagnosisStatus::same) << found.message;
  EXPECT_EQ(found.map.counts.found, 3) << found.map.counts.by_consumer;
}

/// Each of the layers behind either of them.
TEST_F(Twins, AWrongKernelBehindATwinIsNamed) {
  const std::vector<std::string> words{"parameter Gemm_3", "parameter Gemm_5"};
  for (int layer = 0; layer < 2; ++layer) {
    onnx::ModelProto target = model_of(true);
    wrong_weight("Gemm", layer, 1, testing::one_wrong)(target);
    testing::rename_all(target);
    const Diagnosis found = diagnose_models(model_of(false), target);
    EXPECT_THAT(told(found), ElementsAre(words[static_cast<std::size_t>(layer)])) << found.message;
  }
}

}  // namespace
}  // namespace culprit
