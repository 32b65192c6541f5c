// What is written and printed of an evaluation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "record/report_schema.h"
#include "report/evaluation_console.h"
#include "report/evaluation_json.h"
#include "report/json.h"
#include "report/layout.h"
#include "report/written_report.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

EvaluationReport two_models() {
  EvaluationReport report;
  report.tool_version = "1.2";
  report.command = {"culprit", "eval", "a.onnx", "b.onnx"};
  report.task = "classification";
  report.task_reason = "task classification: the rows of 'y' add up to 1";
  report.data = {"4 images in cats", "labels from the names of folders: 2 classes"};
  report.has_labels = true;
  report.samples = 3;
  report.unreadable = 1;
  report.skipped = {{2, "cats/bad.jpg", "is cut short"}};
  EvaluatedModel first, second;
  first.model.path = "a.onnx";
  first.decisions.samples = first.decisions.labelled = first.ran = 3;
  first.decisions.variant_against_labels = {{"top1", {1, 0.4, 1}}};
  second = first;
  second.model.path = "b.onnx";
  second.decisions.changed = 1;
  second.decisions.metrics = {{"top1_agreement", {0.6667, 0.2, 0.9}}};
  second.decisions.worst = {{3, "label 0", "label 1", 0.5}};
  second.worst = {{second.decisions.worst[0], "dogs/1.jpg"}};
  second.failures = 1;
  second.failed = {{0, "cats/0.jpg", "the runtime threw"}};
  report.models = {first, second};
  return report;
}

TEST(EvaluationJson, TellsAllOfBothModels) {
  const auto root = nlohmann::json::parse(to_json(two_models()));
  EXPECT_EQ(root["schema"], "culprit.eval/1");
  EXPECT_EQ(root["task"]["name"], "classification");
  EXPECT_EQ(root["data"]["skipped"][0]["sample"], "cats/bad.jpg");
  const auto& first = root["models"][0];
  EXPECT_TRUE(first["against_first"].is_null());
  EXPECT_EQ(first["against_labels"]["top1"]["value"], 1);
  const auto& second = root["models"][1];
  EXPECT_EQ(second["against_first"]["top1_agreement"]["low"], 0.2);
  EXPECT_EQ(second["changed"], 1);
  EXPECT_EQ(second["worst"][0]["sample"], "dogs/1.jpg");
  EXPECT_EQ(second["failed"][0]["reason"], "the runtime threw");
  EXPECT_TRUE(is_report(to_json(two_models()))) << "a run folder of ours";
}

TEST(EvaluationConsole, ShowsAgreementLabelsAndWhatWasLeftOut) {
  const std::string text = to_console(two_models(), {}, "run");
  EXPECT_THAT(text, HasSubstr("classification  2 models of 3 samples"));
  EXPECT_THAT(text, HasSubstr("1 sample could not be read"));
  EXPECT_THAT(text, HasSubstr("cats/bad.jpg  is cut short"));
  EXPECT_THAT(text, HasSubstr("other predictions than M1 on 1 of 3 samples"));
  EXPECT_THAT(text, HasSubstr("dogs/1.jpg  label 0 became label 1 (score gap 0.5)"));
  EXPECT_THAT(text, HasSubstr("against the labels of 3 samples"));
  EXPECT_THAT(text, HasSubstr("1 sample on which it fails"));
  for (const std::string& line : split(text, '\n')) EXPECT_LE(display_width(line), 80) << line;
  EXPECT_TRUE(is_printed_report(text));
}

TEST(EvaluationConsole, TellsHowFarPicturesAreApart) {
  EvaluationReport report = two_models();
  report.task = "picture";
  for (EvaluatedModel& model : report.models) model.decisions.traits.margins_are_sureness = false;
  report.models[1].worst = {{{3, "the image", "off by up to 0.7 of 255 levels", 0.7}, "dogs/1.jpg"}};
  const std::string text = to_console(report, {}, "run");
  EXPECT_THAT(text, HasSubstr("the largest differences\n"));
  EXPECT_THAT(text, HasSubstr("the image: off by up to 0.7 of 255 levels"));
  EXPECT_THAT(to_console(two_models(), {}, "run"), HasSubstr("other predictions with the largest score gaps of M1\n"));
}

TEST(EvaluationConsole, PlainNumbersAreNoDecisions) {
  EvaluationReport report = two_models();
  report.task = "tensor";
  for (EvaluatedModel& model : report.models) model.decisions.traits.counts_decisions = false;
  report.models[1].failures = 0;
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("decides otherwise")));
  EXPECT_TRUE(nlohmann::json::parse(to_json(report))["models"][1]["changed"].is_null());
  report.models[1].failures = 2;
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("says nothing on 2 of 5 samples"));
}

TEST(EvaluationConsole, WarnsWhereAgreementSaysNothing) {
  EvaluationReport report = two_models();
  report.warnings = {{"no_boxes", "neither M1 nor M2 finds a box"}};
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("warning  no_boxes: neither M1 nor M2 finds a box"));
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["warnings"][0]["code"], "no_boxes");
}

TEST(EvaluationConsole, AModelThatDoesNotRunHasNoFigures) {
  EvaluationReport report = two_models();
  report.models[1].unfit = "it does not load: no such operator";
  report.models[1].decisions.samples = report.models[1].decisions.labelled = 0;
  const std::string text = to_console(report, {}, "run");
  EXPECT_THAT(text, HasSubstr("nothing can be said of it: it does not load: no such operator"));
  EXPECT_THAT(text, Not(HasSubstr("top1_agreement")));
  const auto model = nlohmann::json::parse(to_json(report))["models"][1];
  EXPECT_EQ(model["unfit"], "it does not load: no such operator");
  EXPECT_TRUE(model["against_first"].is_null() && model["against_labels"].is_null() && model["changed"].is_null());
}

TEST(EvaluationConsole, TellsTheWorstClassesAndThoseThatChanged) {
  EvaluationReport report = two_models();
  report.task = "detection";
  const auto of = [](double cat, double dog, double cow) {
    return MetricsByClass{"ap_50_95",
                          {{"cat", 3, {{"ap_50", 1}, {"ap_50_95", cat}}},
                           {"dog", 4, {{"ap_50", 1}, {"ap_50_95", dog}}},
                           {"cow", 5, {{"ap_50", 1}, {"ap_50_95", cow}}}}};
  };
  report.models[0].decisions.variant_by_class = of(0.5, 0.25, 0.75);
  report.models[1].decisions.variant_by_class = of(0.5, 0.125, 0.25);
  report.models[1].decisions.by_class = of(1, 0.5, 0.5);
  const std::string text = to_console(report, {}, "run");
  EXPECT_THAT(text, HasSubstr("worst classes (ap_50_95): dog 0.2500, cat 0.5000, cow 0.7500\n"));
  EXPECT_THAT(text, HasSubstr("worst classes (ap_50_95): dog 0.1250, cow 0.2500, cat 0.5000\n"));
  EXPECT_THAT(text, HasSubstr("classes changed most (ap_50_95): cow 0.7500 became 0.2500, dog"));
  const auto json = nlohmann::json::parse(to_json(report))["models"][1]["by_class"];
  EXPECT_EQ(json["against_labels"][1]["class"], "dog");
  EXPECT_EQ(json["against_labels"][1]["there"], 4);
  EXPECT_EQ(json["against_labels"][1]["metrics"]["ap_50_95"], 0.125);
  EXPECT_EQ(json["against_first"][0]["metrics"]["ap_50_95"], 1);
  for (EvaluatedModel& model : report.models) model.decisions.labelled = 0;
  EXPECT_THAT(to_console(report, {}, "run"),
              HasSubstr("classes least like M1 (ap_50_95): dog 0.5000, cow 0.5000, cat 1.0000\n"));
}

TEST(EvaluationConsole, TellsTheF1OfClassesOfAClassifier) {
  EvaluationReport report = two_models();
  for (EvaluatedModel& model : report.models) model.classes.add("cat", "cat");
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("worst classes"))) << "there is one";
  for (EvaluatedModel& model : report.models) model.classes.add("dog", "cat");
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("worst classes (f1): dog 0.0000, cat 0.6667\n"));
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("changed most"))) << "both decide alike";
  const auto classes = nlohmann::json::parse(to_json(report))["models"][0]["classes"];
  EXPECT_NEAR(classes[0]["f1"].get<double>(), 2.0 / 3, 1e-12);
}

TEST(EvaluationConsole, TellsWhereDrawingsAre) {
  EvaluationReport report = two_models();
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("drawn")));
  report.drawn = 2;
  report.drawn_into = "boxes";
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("boxes are drawn on 2 images, in boxes\n"));
}

TEST(EvaluationConsole, TellsWarnings) {
  EvaluationReport report = two_models();
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("warning")));
  report.warnings = {{"labels_outside", "2 of 3 labels are 5 or more"}};
  report.models[0].decisions.labels_outside = 2;
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("  warning  labels_outside: 2 of 3 labels are 5 or more\n"));
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["models"][0]["labels_outside"], 2);
}

TEST(EvaluationConsole, SaysThatOneModelWithoutLabelsHasNothingToBeHeldAgainst) {
  EvaluationReport report = two_models();
  report.models.pop_back();
  report.models[0].decisions.labelled = 0;
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("the data have labels, and classification takes none of them"));
  report.has_labels = false;
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("the samples have no labels"));
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("Name a second model"));
  EXPECT_THAT(to_console(two_models(), {}, "run"), Not(HasSubstr("Name a second model")));
}

}  // namespace
}  // namespace culprit
