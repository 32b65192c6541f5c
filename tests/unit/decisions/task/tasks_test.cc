// What each task decides, by hand: a planted change is seen by its metric and by no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "task/decision_warnings.h"
#include "task/spill.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

MadeSample scores(const Floats& reference, const Floats& variant, const std::string& label = "") {
  const auto count = static_cast<std::int64_t>(reference.size());
  MadeSample sample{output_of("prob", {1, count}, reference), output_of("prob", {1, count}, variant), {}};
  sample.truth.label = label;
  return sample;
}

TEST(ClassificationTask, AFlippedLabelIsAChangeWithItsMargin) {
  const DecisionRecord record = compared(
      "classification", {scores({0.1F, 0.6F, 0.3F}, {0.1F, 0.6F, 0.3F}), scores({0.5F, 0.3F, 0.2F}, {0.3F, 0.5F, 0.2F}),
                         scores({0.8F, 0.1F, 0.1F}, {0.1F, 0.1F, 0.8F})});
  EXPECT_EQ(record.samples, 3);
  EXPECT_EQ(record.changed, 2);
  EXPECT_NEAR(record.metrics.at("top1_agreement").value, 1.0 / 3, 1e-12);
  EXPECT_EQ(record.metrics.at("top5_agreement").value, 1);
  ASSERT_EQ(record.worst.size(), 2U);
  EXPECT_EQ(record.worst[0].sample, 2);
  EXPECT_NEAR(record.worst[0].margin, 0.7, 1e-6);
  EXPECT_EQ(record.worst[0].reference, "label 0");
  EXPECT_EQ(record.worst[0].variant, "label 2");
}

TEST(ClassificationTask, SecondPlacesMoveTauAndNotTheLabel) {
  const DecisionRecord record = compared("classification", {scores({5, 4, 3, 2, 1, 0}, {5, 3, 4, 2, 1, 0})});
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.metrics.at("top1_agreement").value, 1);
  EXPECT_NEAR(record.metrics.at("kendall_tau_top5").value, 0.8, 1e-12);
  EXPECT_LT(record.metrics.at("rbo").value, 1);
}

TEST(ClassificationTask, LabelsAreAnotherQuestion) {
  const DecisionRecord record =
      compared("classification", {scores({5, 4, 3, 2, 1, 0}, {5, 4, 3, 2, 1, 0}, "1"),
                                  scores({5, 4, 3, 2, 1, 0}, {0, 5, 1, 2, 3, 4}, "0"),
                                  scores({5, 4, 3, 2, 1, 0}, {5, 4, 3, 2, 1, 0}, "no such name")});
  EXPECT_EQ(record.labelled, 2);
  EXPECT_EQ(record.reference_against_labels.at("top1").value, 0.5);
  EXPECT_EQ(record.reference_against_labels.at("top5").value, 1);
  EXPECT_EQ(record.variant_against_labels.at("top1").value, 0);
  EXPECT_EQ(record.variant_against_labels.at("top5").value, 0.5);
  EXPECT_EQ(record.labels_outside, 0);
}

TEST(ClassificationTask, GainsAndLossesAreToldApart) {
  const Floats zero{9, 1, 1}, one{1, 9, 1}, two{1, 1, 9};
  const DecisionRecord record =
      compared("classification", {scores(zero, one, "1"), scores(zero, two, "2"), scores(zero, one, "0"),
                                  scores(zero, one, "2"), scores(zero, zero, "1"), scores(zero, one)});
  EXPECT_EQ(record.changed, 5);
  EXPECT_EQ(record.label_changes, (LabelChanges{.gained = 2, .lost = 1, .both_wrong = 1}));
}

TEST(ClassificationTask, LabelsThatAreNoClassOfTheOutputsAreCounted) {
  const DecisionRecord record = compared(
      "classification",
      {scores({5, 4, 3}, {5, 4, 3}, "2"), scores({5, 4, 3}, {5, 4, 3}, "3"), scores({5, 4, 3}, {5, 4, 3}, "281")});
  EXPECT_EQ(record.labelled, 3);
  EXPECT_EQ(record.labels_outside, 2);
  EXPECT_EQ(record.classes, 3);
  const auto warnings = label_warnings(record);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "labels_outside");
  EXPECT_THAT(warnings[0].message, HasSubstr("2 of 3 labels are 3 or more, and the outputs have 3 classes"));
}

TEST(ClassificationTask, AnOutputWithOneAxisIsOneSample) {
  MadeSample sample{output_of("prob", {3}, {1, 5, 2}), output_of("prob", {3}, {1, 2, 5}), {}};
  sample.truth.label = "1";
  const DecisionRecord record = compared("classification", {sample});
  EXPECT_EQ(record.labelled, 1) << "one row of three classes, and no batch of three";
  EXPECT_EQ(record.worst[0].variant, "label 2");
}

TEST(ClassificationTask, LabelsMayBeNamesOrCountFromOne) {
  const auto top1 = [](const TaskSettings& settings, const std::string& label) {
    return compared("classification", {scores({0, 9, 0}, {0, 9, 0}, label)}, settings)
        .variant_against_labels.at("top1")
        .value;
  };
  EXPECT_EQ(top1({.class_names = {"cat", "dog", "owl"}}, "dog"), 1);
  EXPECT_EQ(top1({.class_names = {"cat", "dog", "owl"}}, "owl"), 0);
  EXPECT_EQ(top1({.label_offset = 1}, "0"), 1);
  const DecisionRecord named =
      compared("classification", {scores({9, 0, 0}, {0, 9, 0})}, {.class_names = {"cat", "dog"}});
  EXPECT_EQ(named.worst[0].variant, "label 1 (dog)");
}

/// Data number names in an order of their own; the classes of the model are what counts.
TEST(ClassificationTask, ANameCountsBeforeTheNumberThatDataGiveIt) {
  const auto top1 = [](const std::string& label, const std::string& name) {
    MadeSample sample = scores({0, 9, 0}, {0, 9, 0}, label);
    sample.truth.name = name;
    return compared("classification", {sample}, {.class_names = {"owl", "dog", "1"}})
        .variant_against_labels.at("top1")
        .value;
  };
  EXPECT_EQ(top1("0", "dog"), 1);
  EXPECT_EQ(top1("1", "owl"), 0);
  EXPECT_EQ(top1("1", "n02084071"), 1) << "no name of a class: the number stands";
  EXPECT_EQ(top1("1", ""), 1) << "a label that is just a number is the class of that number";
}

TEST(DecisionWords, AreNotCutWithinACharacter) {
  const std::string long_name(99, 'x');
  const DecisionRecord record = compared("classification", {scores({9, 0}, {0, 9})},
                                         {.class_names = {long_name + std::string("ä") + long_name, "b"}});
  std::string umlauts;
  for (int i = 0; i < 120; ++i) umlauts += "ä";
  const DecisionRecord cut = compared("classification", {scores({9, 0}, {0, 9})}, {.class_names = {umlauts, "b"}});
  EXPECT_LE(cut.worst[0].reference.size(), 200U);
  EXPECT_EQ(cut.worst[0].reference.size() % 2, std::string("label 0 (").size() % 2) << "each takes two bytes";
  EXPECT_EQ(record.worst[0].reference.size(), 200U);
}

TEST(ClassificationTask, SoftmaxWhereItIsAskedMakesMarginsOfLogits) {
  const std::vector<MadeSample> samples{scores({3, 1}, {1, 3})};
  EXPECT_NEAR(compared("classification", samples).worst[0].margin, 2, 1e-6);
  const double share = 1 / (1 + std::exp(-2));
  EXPECT_NEAR(compared("classification", samples, {.softmax = true}).worst[0].margin, 2 * share - 1, 1e-6);
}

TEST(ClassificationTask, EachRowOfABatchIsADecision) {
  MadeSample sample{output_of("prob", {2, 3}, {1, 2, 3, 3, 2, 1}), output_of("prob", {2, 3}, {1, 2, 3, 1, 2, 3}), {}};
  const DecisionRecord record = compared("classification", {sample});
  EXPECT_EQ(record.samples, 1);
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.metrics.at("top1_agreement").value, 0.5);
  EXPECT_EQ(record.worst[0].reference, "row 1: label 0");
}

TEST(ClassificationTask, WithoutAnyRowBothAgree) {
  const MadeSample sample{output_of("prob", {0, 3}, {}), output_of("prob", {0, 3}, {}), {}};
  const DecisionRecord record = compared("classification", {sample});
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.metrics.size(), 5U);
  for (const auto& [name, metric] : record.metrics) EXPECT_EQ(metric.value, 1) << name;
}

std::vector<Detection> three_boxes() {
  return {{{0, 0, 10, 10}, 1, 0.9}, {{20, 0, 30, 10}, 1, 0.8}, {{40, 0, 50, 10}, 7, 0.7}};
}

DecisionRecord compared_boxes(const std::vector<Detection>& a, const std::vector<Detection>& b) {
  return compared("detection", {{boxes_of(a), boxes_of(b), {}}});
}

/// COCO's categories have ids with gaps. Detectors have classes by their places, by these after a background, or ids.
TEST(DetectionTask, ClassesAreNumberedAsTheDetectorSays) {
  MadeSample sample{boxes_of(three_boxes()), boxes_of(three_boxes()), {}};
  sample.truth.boxes.emplace();
  for (const Detection& one : three_boxes()) sample.truth.boxes->push_back({one.box, one.label - 1, false, false, 90});
  const auto presets = preset_detectors();
  const auto recall = [&](ClassNumbering numbering) {
    TaskSettings settings;
    settings.detector = *std::ranges::find(presets, "lists", &DetectorSpec::name);
    settings.detector->numbering = numbering;
    return compared("detection", {sample}, settings).variant_against_labels.at("recall_iou50").value;
  };
  EXPECT_EQ(recall(ClassNumbering::from_1), 1);
  EXPECT_EQ(recall(ClassNumbering::from_0), 0);
  EXPECT_EQ(recall(ClassNumbering::ids), 0);
  for (TruthBox& box : *sample.truth.boxes) box.category_id = box.label + 1;
  EXPECT_EQ(recall(ClassNumbering::ids), 1);
  for (TruthBox& box : *sample.truth.boxes) box.category_id = -1, ++box.label;
  EXPECT_EQ(recall(ClassNumbering::from_1), 1) << "not of a file: the numbers of the detector itself";
}

TEST(DetectionTask, ClassesHaveNames) {
  auto fewer = three_boxes();
  fewer.pop_back();
  const DecisionRecord record =
      compared("detection", {{boxes_of(three_boxes()), boxes_of(fewer), {}}}, {.class_names = {"cat", "dog"}});
  EXPECT_EQ(record.worst[0].reference, "3 boxes: 2 of class 1 (dog), 1 of class 7");
}

TEST(DetectionTask, ALostBoxIsSeen) {
  auto fewer = three_boxes();
  fewer.pop_back();
  const DecisionRecord record = compared_boxes(three_boxes(), fewer);
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.worst[0].reference, "3 boxes: 2 of class 1, 1 of class 7");
  EXPECT_EQ(record.worst[0].variant, "2 boxes: 2 of class 1");
  EXPECT_NEAR(record.worst[0].margin, 0.2, 1e-6) << "how far it was above the least score";
  EXPECT_EQ(record.metrics.at("precision_iou50").value, 1);
  EXPECT_NEAR(record.metrics.at("recall_iou50").value, 2.0 / 3, 1e-12);
  EXPECT_NEAR(record.metrics.at("f1_iou50").value, 0.8, 1e-12);
}

TEST(DetectionTask, AMovedBoxIsSeenByTheHigherThresholds) {
  auto moved = three_boxes();
  moved[0].box.x1 = 8;  // overlap 0.8
  const DecisionRecord record = compared_boxes(three_boxes(), moved);
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.metrics.at("f1_iou50").value, 1);
  EXPECT_EQ(record.metrics.at("f1_iou75").value, 1);
  EXPECT_NEAR(record.metrics.at("f1_iou90").value, 2.0 / 3, 1e-12);
  EXPECT_EQ(record.metrics.at("map_50").value, 1);
  EXPECT_LT(record.metrics.at("map_90").value, 1);
  EXPECT_NEAR(record.metrics.at("mean_best_iou").value, 2.8 / 3, 1e-6);
  EXPECT_EQ(record.metrics.at("score_rank_tau").value, 1);
}

TEST(DetectionTask, AnotherClassIsAnotherBoxAndOtherScoresAreNot) {
  auto other = three_boxes();
  other[0].label = 2;
  EXPECT_EQ(compared_boxes(three_boxes(), other).changed, 1);
  other = three_boxes();
  std::swap(other[0].score, other[2].score);
  const DecisionRecord record = compared_boxes(three_boxes(), other);
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.metrics.at("f1_iou90").value, 1);
  EXPECT_EQ(record.metrics.at("score_rank_tau").value, -1);
}

TEST(DetectionTask, WithoutAnyBoxAnywhereThereIsNothingToMeasure) {
  const DecisionRecord none = compared_boxes({}, {});
  EXPECT_EQ(none.changed, 0);
  EXPECT_EQ(none.empty, 1);
  EXPECT_TRUE(none.metrics.empty()) << "no perfect figures of nothing";
  MadeSample no_box{boxes_of({}), boxes_of({}), {}}, boxes{boxes_of(three_boxes()), boxes_of(three_boxes()), {}};
  const DecisionRecord some = compared("detection", {no_box, boxes});
  EXPECT_EQ(some.empty, 1);
  for (const auto& [name, metric] : some.metrics) EXPECT_EQ(metric.value, 1) << name;
  const DecisionRecord extra = compared_boxes({}, three_boxes());
  EXPECT_EQ(extra.changed, 1);
  for (const auto& [name, metric] : extra.metrics) EXPECT_EQ(metric.value, 0) << name;
}

/// pycocotools looks at 100 boxes of a class on a picture and gives a copy of 150 boxes 0.66. Between two models all
/// count; against labels as many as were asked for.
TEST(DetectionTask, ACopyOf150BoxesIsPerfect) {
  std::vector<Detection> many;
  for (int i = 0; i < 150; ++i) {
    const int column = i % 15, row = i / 15;
    const double x = 40.0 * column, y = 40.0 * row;
    many.push_back({{x, y, x + 32, y + 32}, 0, 0.6 + 0.002 * i});
  }
  MadeSample sample{boxes_of(many), boxes_of(many), {}};
  sample.truth.boxes = as_truth(many);
  const DecisionRecord record = compared("detection", {sample});
  EXPECT_EQ(record.metrics.at("map_50_95").value, 1);
  EXPECT_EQ(record.variant_against_labels.at("map_50_95").value, 1);
  TaskSettings settings;
  settings.match.most_boxes = 100;
  const DecisionRecord limited = compared("detection", {sample}, settings);
  EXPECT_EQ(limited.metrics.at("map_50_95").value, 1);
  EXPECT_NEAR(limited.variant_against_labels.at("map_50_95").value, 0.66, 0.01);
}

TEST(DetectionTask, SpillsWhereItIsTold) {
  const auto task = make_task("detection", facts_of(boxes_of(three_boxes()))).value();
  int made = 0;
  const SpillMaker maker = [&made] {
    ++made;
    return open_spill(std::filesystem::temp_directory_path());
  };
  const auto comparator = task->comparator({.seed = 1, .spill = maker}).value();
  EXPECT_EQ(made, 3);
  const auto failing = task->comparator({.seed = 1, .spill = [] { return open_spill("/nowhere/at/all"); }});
  EXPECT_FALSE(failing.has_value());
}

TEST(SegmentationTask, PixelsOfAnotherClass) {
  // Two classes on four pixels: 0 1 0 1, and the last pixel becomes 0.
  MadeSample sample{output_of("seg", {1, 2, 2, 2}, {5, 0, 5, 0, 0, 5, 0, 9}),
                    output_of("seg", {1, 2, 2, 2}, {5, 0, 5, 10, 0, 5, 0, 9}),
                    {}};
  sample.truth.values = {{"truth", Tensor::of<std::int32_t>({2, 2}, {0, 1, 0, 0})}};
  const DecisionRecord record = compared("segmentation", {sample});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.metrics.at("pixel_agreement").value, 0.75, 1e-12);
  EXPECT_NEAR(record.metrics.at("miou").value, (2.0 / 3 + 0.5) / 2, 1e-12);
  EXPECT_EQ(record.variant_against_labels.at("pixel_accuracy").value, 1);
  EXPECT_NEAR(record.reference_against_labels.at("pixel_accuracy").value, 0.75, 1e-12);
  EXPECT_EQ(record.worst[0].reference, "class 1 at x 1, y 1");
  EXPECT_EQ(record.worst[0].variant, "class 0 there; 1 of 4 pixels differ");
  EXPECT_NEAR(record.worst[0].margin, 9, 1e-6);
}

TEST(SegmentationTask, TheMarginIsOfTheSurestPixelThatChanged) {
  const MadeSample sample{output_of("seg", {1, 2, 2, 2}, {5, 3, 8, 9, 0, 0, 0, 0}),
                          output_of("seg", {1, 2, 2, 2}, {0, 0, 0, 9, 1, 1, 1, 0}),
                          {}};
  const DecisionRecord record = compared("segmentation", {sample});
  EXPECT_NEAR(record.worst[0].margin, 8, 1e-6);
  EXPECT_EQ(record.worst[0].reference, "class 0 at x 0, y 1");
}

TEST(SegmentationTask, AMaskCountsAboveItsThreshold) {
  const Outputs low = output_of("o", {1, 1, 2, 2}, {0.2F, 0.4F, 0.6F, 0.1F});
  const Outputs high = output_of("o", {1, 1, 2, 2}, {0.2F, 0.6F, 0.6F, 0.1F});
  const auto is_changed = [&](const TaskSettings& settings) {
    const auto task = make_task("segmentation", facts_of(low), settings).value();
    return task->change(**task->decide(low), **task->decide(high))->changed;
  };
  EXPECT_TRUE(is_changed({}));
  EXPECT_FALSE(is_changed({.threshold = 0.3}));
  const Outputs scores = output_of("o", {1, 2, 2, 2}, Floats(8));
  const auto refused = make_task("segmentation", facts_of(scores), {.threshold = 0.3});
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, HasSubstr("a threshold is for a mask, numbers with one channel"));
}

TEST(SegmentationTask, ChannelsMayBeLastAndClassesWholeNumbers) {
  Random random(8);
  Floats first = random_floats(random, 24), last(24);
  std::vector<std::int64_t> labels;
  for (std::size_t pixel = 0; pixel < 12; ++pixel) {
    last[2 * pixel] = first[pixel];
    last[2 * pixel + 1] = first[12 + pixel];
    labels.push_back(first[pixel] >= first[12 + pixel] ? 0 : 1);
  }
  const auto task = make_task("segmentation", facts_of(output_of("o", {1, 2, 3, 4}, first))).value();
  const auto a = task->decide(output_of("o", {1, 2, 3, 4}, first)),
             b = task->decide(output_of("o", {1, 3, 4, 2}, last));
  const auto c = task->decide(Outputs{{"o", Tensor::of<std::int64_t>({1, 3, 4}, labels)}});
  ASSERT_TRUE(a.has_value() && b.has_value() && c.has_value());
  EXPECT_FALSE(task->change(**a, **b)->changed);
  EXPECT_FALSE(task->change(**a, **c)->changed);
}

TEST(PictureTask, OneLevelIsNoChangeAndTwoAre) {
  Floats picture(192, 100), near = picture, far = picture;
  near[7] += 1;
  far[7] += 2;
  const auto sample = [&](const Floats& other) {
    return MadeSample{output_of("out", {1, 3, 8, 8}, picture), output_of("out", {1, 3, 8, 8}, other), {}};
  };
  EXPECT_EQ(compared("picture", {sample(near)}).changed, 0);
  const DecisionRecord record = compared("picture", {sample(far), sample(picture)});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.worst[0].margin, 2, 1e-9);
  EXPECT_NEAR(record.metrics.at("psnr").value, 10 * std::log10(255.0 * 255 * 192 * 2 / 4), 1e-9)
      << "of the mean error: one sample that is the same does not make it infinite";
  EXPECT_LT(record.metrics.at("ssim").value, 1);
}

TEST(PictureTask, SharesAndWholeNumbersHaveTheirRange) {
  Floats shares(64, 0.5F), other = shares;
  other[0] += 0.1F;
  const MadeSample sample{output_of("out", {1, 1, 8, 8}, shares), output_of("out", {1, 1, 8, 8}, other), {}};
  EXPECT_NEAR(compared("picture", {sample}).metrics.at("psnr").value, 10 * std::log10(64 / 0.01), 1e-4);
  const MadeSample bytes{{{"out", Tensor::of<std::uint8_t>({1, 8, 8, 1}, std::vector<std::uint8_t>(64, 1))}},
                         {{"out", Tensor::of<std::uint8_t>({1, 8, 8, 1}, std::vector<std::uint8_t>(64, 2))}},
                         {}};
  EXPECT_NEAR(compared("picture", {bytes}).metrics.at("psnr").value, 20 * std::log10(255), 1e-9);
}

TEST(EmbeddingTask, AnotherDirectionIsAChangeAndAnotherLengthIsNot) {
  Floats vector(16, 1), longer(16, 3), other = vector;
  for (std::size_t i = 0; i < 8; ++i) other[i] = -1;
  const auto sample = [&](const Floats& changed) {
    return MadeSample{output_of("embedding", {1, 16}, vector), output_of("embedding", {1, 16}, changed), {}};
  };
  EXPECT_EQ(compared("embedding", {sample(longer)}).changed, 0);
  const DecisionRecord record = compared("embedding", {sample(other)});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.metrics.at("cosine").value, 0, 1e-9);
  EXPECT_EQ(record.metrics.count("neighbours_5"), 0U) << "one sample has no neighbours";
}

TEST(TensorTask, NumbersHaveNoDecision) {
  const DecisionRecord record =
      compared("tensor", {{output_of("out", {2}, {3, 4}), output_of("out", {2}, {3, 4.5F}), {}}});
  EXPECT_EQ(record.changed, 0);
  EXPECT_EQ(record.metrics.at("identical").value, 0);
  EXPECT_NEAR(record.metrics.at("relative_error").value, 0.1, 1e-6);
  EXPECT_NEAR(record.worst[0].margin, 0.1, 1e-6);
}

}  // namespace
}  // namespace culprit
