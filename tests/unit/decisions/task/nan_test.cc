// NaN is no decision: whoever loses one has changed, and two that have none are told apart from two that agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/not_numbers.h"
#include "task/best_score.h"
#include "task/classification.h"
#include "task/decision_warnings.h"
#include "task/embedding.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::int64_t best_of(const std::vector<double>& scores) {
  BestScore best;
  for (const double score : scores) best.add(score);
  return best.label();
}

TEST(BestScore, IsTheLargestWhereThereIsAClearOne) {
  EXPECT_EQ(best_of({1, 3, 3, 2}), 1);
  EXPECT_EQ(best_of({-infinity_f, -5, -infinity_f}), 1);
  EXPECT_EQ(best_of({1, infinity_f, 2}), 1);
  EXPECT_EQ(best_of({infinity_f, 1, infinity_f}), -1);
  EXPECT_EQ(best_of({-infinity_f, -infinity_f}), -1);
  EXPECT_EQ(best_of({1, nan_f, 2}), -1);
  EXPECT_EQ(best_of({nan_f, nan_f}), -1);
  EXPECT_EQ(best_of({}), -1);
}

MadeSample pair_of(const Shape& shape, const Floats& reference, const Floats& variant) {
  return {output_of("out", shape, reference), output_of("out", shape, variant), {}};
}

TEST(NoLabel, IsAChangeAndWrongAndWorstOfAll) {
  std::vector<MadeSample> samples{pair_of({1, 3}, {9, 0, 1}, {0, 9, 1}),
                                  pair_of({1, 3}, {9, 0, 1}, {nan_f, nan_f, nan_f}),
                                  pair_of({1, 3}, {9, 0, 1}, {infinity_f, infinity_f, 0})};
  for (MadeSample& sample : samples) sample.truth.label = "0";
  const DecisionRecord record = compared("classification", samples);
  EXPECT_EQ(record.changed, 3);
  EXPECT_EQ(record.undecided, 0);
  EXPECT_EQ(record.metrics.at("top1_agreement").value, 0);
  EXPECT_EQ(record.reference_against_labels.at("top1").value, 1);
  EXPECT_EQ(record.variant_against_labels.at("top1").value, 0);
  EXPECT_NEAR(record.variant_against_labels.at("top5").value, 1.0 / 3, 1e-12);
  EXPECT_EQ(record.worst[0].sample, 1);
  EXPECT_EQ(record.worst[0].variant, "no label (NaN)");
  EXPECT_EQ(record.worst[0].margin, infinity_f);
  EXPECT_EQ(record.worst[1].variant, "no label (infinities)");
}

TEST(NoLabel, InBothIsNoAgreementThatProvesAnything) {
  const DecisionRecord record = compared("classification", {pair_of({1, 2}, {nan_f, 1}, {nan_f, nan_f})});
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.undecided, 1);
  const auto warnings = decision_warnings(record, "M1", "M2");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "undecided");
  EXPECT_THAT(warnings[0].message, HasSubstr("on 1 of 1 samples M1 and M2 both give NaN"));
  const DecisionRecord healed = compared("classification", {pair_of({1, 2}, {nan_f, 1}, {0, 1})});
  EXPECT_EQ(healed.changed, 1);
  EXPECT_EQ(healed.worst[0].reference, "no label (NaN)");
  EXPECT_EQ(healed.worst[0].margin, 0) << "the reference was sure of nothing";
  EXPECT_TRUE(decision_warnings(healed, "M1", "M2").empty());
}

TEST(NoClass, OfAPixel) {
  const Floats sure{5, 5, 5, 5, 0, 0, 0, 0}, lost{5, nan_f, 5, 5, 0, 0, 0, 0};
  const DecisionRecord record = compared("segmentation", {pair_of({1, 2, 2, 2}, sure, lost)});
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.worst[0].variant, "no class (NaN) there; 1 of 4 pixels differ");
  EXPECT_EQ(record.worst[0].margin, infinity_f);
  EXPECT_NEAR(record.metrics.at("miou").value, 0.75, 1e-12) << "no class is no class of its own";
  const DecisionRecord both = compared("segmentation", {pair_of({1, 2, 2, 2}, lost, lost)});
  EXPECT_EQ(both.changed, 0);
  EXPECT_EQ(both.undecided, 1);
  const DecisionRecord mask = compared("segmentation", {pair_of({1, 1, 2, 2}, {0, 1, 0, 1}, {nan_f, 1, 0, 1})});
  EXPECT_EQ(mask.changed, 1) << "NaN is not below the threshold";
}

TEST(NoBox, IsWhatIsNan) {
  const std::vector<Detection> one{{{10, 10, 30, 30}, 1, 0.9}}, nowhere{{{nan_f, 10, 30, 30}, 1, 0.9}};
  const std::vector<Detection> unsure{{{10, 10, 30, 30}, 1, nan_f}};
  for (const auto& variant : {nowhere, unsure}) {
    const DecisionRecord record = compared("detection", {{boxes_of(one), boxes_of(variant), {}}});
    EXPECT_EQ(record.changed, 1);
    EXPECT_EQ(record.worst[0].variant, "no boxes (NaN)");
    EXPECT_EQ(record.worst[0].margin, infinity_f);
  }
  const DecisionRecord both = compared("detection", {{boxes_of(nowhere), boxes_of(nowhere), {}}});
  EXPECT_EQ(both.changed, 0);
  EXPECT_EQ(both.undecided, 1);
  EXPECT_EQ(both.empty, 1);
}

TEST(NoClass, OfABox) {
  const Box there{10, 10, 30, 30}, beside{50, 10, 70, 30};
  const std::vector<Detection> one{{there, 1, 0.9}};
  for (const std::int64_t none : {std::int64_t{-7}, std::int64_t{65536}, std::int64_t{1} << 40}) {
    const std::vector<Detection> more{{there, 1, 0.9}, {beside, none, 0.8}};
    const DecisionRecord record = compared("detection", {{boxes_of(one), boxes_of(more), {}}});
    EXPECT_EQ(record.changed, 1);
    EXPECT_THAT(record.worst[0].variant, HasSubstr("2 boxes: 1 of no class, 1 of class 1"));
    EXPECT_EQ(compared("detection", {{boxes_of(more), boxes_of(more), {}}}).metrics.at("map_50").value, 1) << "a copy";
    MadeSample labelled{boxes_of(more), boxes_of(more), {}};
    labelled.truth.boxes = {{there, 1, false, false}, {beside, none, false, false}};
    const DecisionRecord right = compared("detection", {labelled});
    EXPECT_EQ(right.variant_against_labels.at("precision_iou50").value, 0.5) << "what is none is never right";
  }
}

TEST(NoClass, OfSeventyThousandEndsARun) {
  const auto spec = read_detector_spec("{name: l, form: lists, box: corners, score: 0.5, numbering: ids}", "l.yaml");
  ASSERT_TRUE(spec) << spec.error().text();
  const auto task = make_task("detection", facts_of(boxes_of({})), {.detector = *spec}).value();
  const auto comparator = task->comparator({}).value();
  std::int64_t label = -10;
  MadeSample sample;
  for (std::int64_t number = 0; number < 70; ++number) {
    std::vector<Detection> found;
    for (int i = 0; i < 1000; ++i) found.push_back({{10, 10, 30, 30}, label++, 0.9});
    sample = {boxes_of(found), boxes_of(found), {}};
    sample.truth.boxes = {{{10, 10, 30, 30}, 0, false, false, label * 100000}};
    ASSERT_TRUE(comparator->add({number, &sample.truth, sample.reference, sample.variant}));
  }
  const DecisionRecord record = compared("detection", {sample}, {.detector = *spec});
  EXPECT_EQ(record.labels_outside, 1) << "an id that no detector gives";
  ASSERT_EQ(label_warnings(record).size(), 1U);
  EXPECT_THAT(label_warnings(record)[0].message, HasSubstr("1 box of the labels has a class that is none"));
}

TEST(NoBox, AnywhereIsWarnedOf) {
  const auto warnings = decision_warnings(compared("detection", {{boxes_of({}), boxes_of({}), {}}}), "M1", "M2");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "no_boxes");
  EXPECT_THAT(warnings[0].message, HasSubstr("neither M1 nor M2 finds a box on any of 1 sample"));
}

TEST(NoVector, OfZerosIsWarnedOf) {
  const Floats zeros(16, 0), ones(16, 1);
  const auto sample = [](const Floats& reference, const Floats& variant) {
    return MadeSample{output_of("embedding", {1, 16}, reference), output_of("embedding", {1, 16}, variant), {}};
  };
  const DecisionRecord some =
      compared("embedding", {sample(zeros, zeros), sample(ones, ones), sample(zeros, ones), sample(ones, zeros)});
  EXPECT_EQ(some.changed, 2) << "a vector that came or went";
  const auto warnings = decision_warnings(some, "M1", "M2");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "zero_vectors");
  EXPECT_THAT(warnings[0].message, HasSubstr("on 1 of 4 samples M1 and M2 both give a vector of zeros"));
  const DecisionRecord all = compared("embedding", {sample(zeros, zeros)});
  EXPECT_TRUE(all.metrics.empty()) << "no agreement was measured";
  ASSERT_EQ(own_warnings(all, "M1").size(), 1U);
  EXPECT_THAT(own_warnings(all, "M1")[0].message, HasSubstr("on 1 of 1 sample M1 gives a vector of zeros"));
}

TEST(NoVector, HasNoNeighboursAndIsAChange) {
  std::vector<MadeSample> samples;
  for (int i = 0; i < 8; ++i) {
    Floats vector(16, 1);
    vector[static_cast<std::size_t>(i)] = 5;
    samples.push_back(pair_of({1, 16}, vector, Floats(16, nan_f)));
  }
  const DecisionRecord record = compared("embedding", samples);
  EXPECT_EQ(record.changed, 8);
  EXPECT_EQ(record.metrics.at("cosine").value, 0);
  EXPECT_EQ(record.metrics.at("neighbours_5").value, 0);
  EXPECT_EQ(record.worst[0].variant, "no vector (NaN)");
  EXPECT_EQ(record.worst[0].margin, infinity_f);
  for (MadeSample& sample : samples) sample.reference = sample.variant;
  EXPECT_EQ(compared("embedding", samples).undecided, 8);
  const std::vector<std::vector<float>> vectors{{1, 0}, {nan_f, 0}, {0, 1}, {1, 1}};
  EXPECT_THAT(nearest_neighbours(vectors, 0, 3), ElementsAre(3, 2, 1)) << "one with NaN is the last";
}

TEST(NanInAPicture, IsWorstOfAll) {
  Floats picture(192, 0.5F), lost = picture, far = picture;
  lost[3] = nan_f;
  far[3] = 1000;
  const DecisionRecord record =
      compared("picture", {pair_of({1, 3, 8, 8}, picture, far), pair_of({1, 3, 8, 8}, picture, lost)});
  EXPECT_EQ(record.changed, 2);
  EXPECT_EQ(record.worst[0].sample, 1);
  EXPECT_EQ(record.worst[0].variant, "holds NaN");
  const DecisionRecord all = compared("picture", {pair_of({1, 3, 8, 8}, picture, Floats(192, nan_f))});
  EXPECT_EQ(all.metrics.at("psnr").value, 0);
  EXPECT_EQ(compared("picture", {pair_of({1, 3, 8, 8}, lost, lost)}).undecided, 1);
}

}  // namespace
}  // namespace culprit
