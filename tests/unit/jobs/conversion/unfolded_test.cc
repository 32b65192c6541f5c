// The source has normalizations folded into its kernels, the target has them in layers of their own.
#include "conversion/faults/unfolded_parts.h"
#include "diagnose_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using testing::Fault;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::wrong_attribute;
using testing::wrong_weight;

class Unfolded : public testing::DiagnoseBench {
 protected:
  Diagnosis diagnose_unfolded(const Fault& mistake = {}) {
    onnx::ModelProto source = testing::cnn_net(), target = source;
    testing::fold_normalizations(source);
    if (mistake) mistake(target);
    testing::rename_all(target);
    return diagnose_models(source, target);
  }
};

struct UnfoldedRow {
  const char* what;
  Fault mistake;
  const char* told;
  const char* target;  // the type of the node that is blamed
  const char* words;   // of the evidence
};

TEST_F(Unfolded, NothingIsBlamedWhereNothingIsWrong) {
  const Diagnosis found = diagnose_unfolded();
  EXPECT_EQ(found.status, DiagnosisStatus::same) << found.message;
  EXPECT_THAT(told(found), IsEmpty());
  EXPECT_EQ(found.map.counts.not_found, 0);
  for (const MappedParameter& parameter : found.parameters) EXPECT_EQ(parameter.wrong, 0) << parameter.target;
}

TEST_F(Unfolded, TheTargetsOwnTensorIsBlamed) {
  const auto raised = [](const Tensor& tensor) { return testing::scaled(tensor, 1.1F); };
  for (const UnfoldedRow& row : std::vector<UnfoldedRow>{
           {"a number of the kernel", wrong_weight("Conv", 1, 1, testing::one_wrong), "parameter Conv_4", "Conv",
            "1 of "},
           {"a kernel that is flipped",
            wrong_weight("Conv", 1, 1, [](const Tensor& one) { return testing::flipped(one, 3); }), "layout Conv_4",
            "Conv", "flipped"},
           {"a kernel in half precision", wrong_weight("Conv", 1, 1, testing::to_half), "precision Conv_4", "Conv",
            "float16"},
           {"a number of the scale", wrong_weight("BatchNormalization", 1, 1, testing::one_wrong), "parameter Conv_4",
            "BatchNormalization", "1 of "},
           {"all of the scale", wrong_weight("BatchNormalization", 1, 1, raised), "parameter Conv_4",
            "BatchNormalization", "1.1 times"},
           {"a number of the bias", wrong_weight("BatchNormalization", 1, 2, testing::one_wrong), "parameter Conv_4",
            "BatchNormalization", "would do the same"},
           {"a number of the mean", wrong_weight("BatchNormalization", 1, 3, testing::one_wrong), "parameter Conv_4",
            "BatchNormalization", "would do the same"},
           {"epsilon", wrong_attribute("BatchNormalization", 1, "epsilon", 0.05F), "hyperparameter Conv_4.epsilon",
            "BatchNormalization", "epsilon is 0.05, should be 0.001"}}) {
    const Diagnosis found = diagnose_unfolded(row.mistake);
    EXPECT_EQ(found.status, DiagnosisStatus::faulty) << row.what;
    EXPECT_THAT(told(found), ElementsAre(row.told)) << row.what << ": " << found.message;
    if (found.faults.size() != 1) continue;
    EXPECT_EQ(found.faults[0].target.node.type, row.target) << row.what;
    EXPECT_THAT(found.faults[0].evidence.message, HasSubstr(row.words)) << row.what;
    EXPECT_TRUE(found.faults[0].confirmed) << row.what;
  }
}

/// A mean that was never set is blamed rather than the bias, which would do as well.
TEST_F(Unfolded, AMeanThatWasNeverSetIsBlamed) {
  const Diagnosis found = diagnose_unfolded(
      wrong_weight("BatchNormalization", 1, 3, [](const Tensor& mean) { return testing::scaled(mean, 0); }));
  ASSERT_THAT(told(found), ElementsAre("parameter Conv_4"));
  EXPECT_THAT(found.faults[0].evidence.message, HasSubstr("numbers are 0"));
}

TargetParameter folded_parameter(std::vector<float> numbers, const std::string& axes, std::vector<FoldedPart> parts) {
  TargetParameter form;
  form.axes = axes;
  form.tensor.shape = {2, std::ssize(numbers) / 2};
  form.tensor.numbers = std::move(numbers);
  form.folded = std::move(parts);
  return form;
}

std::vector<FoldedPart> kernel_and_factor(const std::vector<double>& factors) {
  return {{FoldedPart::Kind::kernel, 0, 0, 1, {}, factors}, {FoldedPart::Kind::factor, 1, 1, 1, factors}};
}

/// All of a kernel times a number: where the bias is right, it is the kernel; else what multiplies both.
TEST(UnfoldedParts, AFactorForAllIsTheKernelsWhereTheBiasIsRight) {
  const auto form = folded_parameter({2, 4, 6, 9, 12, 15}, "OI", kernel_and_factor({2, 3}));
  UnfoldedTask task;
  task.kernel = FoldedForm{&form, {1, 2, 3, 4.5F, 6, 7.5F}};
  auto changes = unfolded_changes(task);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].part.kind, FoldedPart::Kind::factor);
  EXPECT_THAT(changes[0].right, ElementsAre(1, 1.5));
  EXPECT_TRUE(changes[1].is_alternative);
  task.is_bias_right = true;
  changes = unfolded_changes(task);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].part.kind, FoldedPart::Kind::kernel);
  EXPECT_THAT(changes[0].right, ElementsAre(0.5, 1, 1.5, 1.5, 2, 2.5));
}

/// What is multiplied with 0 says nothing of the kernel.
TEST(UnfoldedParts, ASliceThatIsMultipliedWithNothing) {
  const auto form = folded_parameter({2, 4, 0, 0}, "OI", kernel_and_factor({2, 0}));
  UnfoldedTask task;
  task.kernel = FoldedForm{&form, {2, 5, 0, 0}};
  const auto changes = unfolded_changes(task);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(std::isnan(changes[0].right[0]));
  EXPECT_EQ(changes[0].right[1], 2.5);
  EXPECT_TRUE(std::isnan(changes[0].right[3]));
}

}  // namespace
}  // namespace culprit
