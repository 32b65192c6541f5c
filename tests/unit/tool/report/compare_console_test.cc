#include "report/compare_console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "golden.h"
#include "record/report_schema.h"
#include "report/compare_json.h"
#include "report/json.h"
#include "report/layout.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string run_folder_shown = ".culprit/20260131T235959Z-1a2b";

Measurement off_by(double error, double floor, std::int64_t beyond = 0) {
  Measurement m;
  m.max_abs = error;
  m.floor = floor;
  m.elements = 100;
  m.mismatched = error > 0 ? 40 : 0;
  m.beyond_floor = m.beyond_tolerance = beyond;
  return m;
}

ModelFacts facts(const std::string& path) {
  ModelFacts made;
  made.path = path;
  made.sha256 = std::string(64, 'a');
  made.nodes = 60;
  return made;
}

NodeRef node(std::int64_t index, const std::string& op) { return {"", op, index, "layer_" + std::to_string(index)}; }

/// Sixty values, of which the 30th is made wrong.
CompareReport parted() {
  CompareReport report;
  report.tool_version = "0.1.0";
  report.command = {"culprit", "compare", "a.onnx", "b.onnx"};
  report.a = facts("models/my net.onnx");
  report.b = facts("models/" + std::string(90, 'b') + ".onnx");
  report.data.source = DataSource::synthesized;
  report.data.samples = 3;
  report.data.dims = {{"batch", 7}};
  report.reference_level = "off";
  report.inputs = {{"x", "x"}};
  report.outputs = {{"y", "z"}};
  report.unbound = {"output 'extra' of B"};
  report.status = CompareStatus::part;
  report.verdict = Verdict::diverged;
  report.measurements["y"] = off_by(0.25, 1e-6, 12);
  report.coverage = {60, 58, 1, 55, 1, 1, 1, 1, 4, 7};
  report.capture = {57, 1, 2, 90, 3, "'layer_5': reading it changes the model's own outputs"};
  for (std::int64_t i = 0; i < 60; ++i) {
    ComparedValue value;
    value.a = "layer_" + std::to_string(i);
    value.b = value.a;
    value.node_a = value.node_b = node(i, "Conv");
    value.state = i < 30 ? ValueState::equal : i == 30 ? ValueState::made_here : ValueState::inherited;
    value.measurement = off_by(i < 30 ? 0 : 0.25 / static_cast<double>(i), 1e-6, i < 30 ? 0 : 12);
    report.values.push_back(value);
  }
  report.values[1].state = ValueState::fused, report.values[1].b.clear(), report.values[1].node_b = node(2, "Conv");
  report.values[3].state = ValueState::gone, report.values[3].b.clear(), report.values[3].node_b = {};
  report.values[5].state = ValueState::not_read;
  report.values[30].node_a.op = "BatchNormalization";
  report.values[30].alone = 0.01;
  report.values[33].measurement.note = "shape [1,2] became [2]";
  report.values[33].measurement.form = FormChange::shape;
  report.values[33].measurement.max_abs = std::numeric_limits<double>::infinity();
  report.values[33].measurement.mismatched = 100;
  report.first_divergence = FirstDivergence{"layer_30",
                                            "layer_30",
                                            {node(30, "BatchNormalization"), node(29, "Conv")},
                                            {node(30, "Conv")},
                                            0.01,
                                            1e-6,
                                            "first mismatch at 'layer_30'"};
  report.message = report.first_divergence->message;
  report.repros = {"repro/F1", "repro/F2"};
  report.seconds = 1.4;
  return report;
}

CompareReport same() {
  CompareReport report = parted();
  report.status = CompareStatus::same;
  report.verdict = Verdict::equivalent;
  report.measurements["y"] = off_by(3e-7, 1e-6);
  report.measurements["y"].mismatched = 3;
  report.values.resize(3);
  report.unbound.clear();
  report.first_divergence.reset();
  report.message.clear();
  report.repros.clear();
  report.capture = {3, 0, 2, 4, 0, ""};
  report.coverage.gone = report.coverage.in_subgraphs = 0;
  return report;
}

CompareReport without_anything_in_common() {
  CompareReport report;
  report.a = facts("a.onnx");
  report.b = facts("b.onnx");
  report.status = CompareStatus::nothing_in_common;
  report.message = "the two models have nothing in common: their inputs do not match";
  return report;
}

TEST(CompareConsole, Parted) { expect_golden("compare_parted.txt", to_console(parted(), {}, run_folder_shown)); }
TEST(CompareConsole, Same) { expect_golden("compare_same.txt", to_console(same(), {}, run_folder_shown)); }
TEST(CompareConsole, NothingInCommon) {
  expect_golden("compare_nothing.txt", to_console(without_anything_in_common(), {}, run_folder_shown));
}

TEST(CompareConsole, NoLineIsLongerThanTheWidthAndNoNameMovesTheCursor) {
  CompareReport report = parted();
  report.values[30].a = "evil\x1b[2J" + std::string(200, 'v') + "名前";
  report.first_divergence->a = report.values[30].a;
  for (const int width : {60, 80, 120}) {
    for (const std::string& line : split(to_console(report, {.width = width}, run_folder_shown), '\n')) {
      EXPECT_LE(display_width(line), width) << line;
      EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    }
  }
}

TEST(CompareConsole, ANoteHidesNoDifference) {
  CompareReport report = same();
  report.measurements = {{"y", {}}};
  Measurement& m = report.measurements.begin()->second;
  m.elements = 768;
  m.mismatched = 630;
  m.max_abs = 0.125;
  m.floor = 0.5;
  m.note = "signed zeros differ";
  EXPECT_THAT(to_console(report, {}, run_folder_shown),
              ::testing::HasSubstr("max abs error 0.12, expected rounding error 0.5"));
  m.mismatched = 0;
  m.max_abs = 0;
  EXPECT_THAT(to_console(report, {}, run_folder_shown), ::testing::HasSubstr("signed zeros differ"));
  report = parted();
  report.values[30].measurement.note = "the model itself gives -inf, the variant 3";
  report.values[30].measurement.mismatched = 4;
  EXPECT_THAT(to_console(report, {}, run_folder_shown),
              ::testing::HasSubstr("worst: 'layer_30' made here, max abs error 0.0083"));
}

TEST(CompareConsole, WhereThereIsNoDistanceItSaysWhatDiffers) {
  CompareReport report = parted();
  Measurement& m = report.values[30].measurement;
  m = {};
  m.elements = 8;
  m.mismatched = 3;  // strings
  std::string text = to_console(report, {.width = 120}, run_folder_shown);
  EXPECT_THAT(text, ::testing::ContainsRegex("layer_30 .* differs +made here"));
  EXPECT_THAT(text, ::testing::HasSubstr("'layer_30' made here, 3 of 8 elements differ"));
  m.max_abs = std::numeric_limits<double>::infinity();
  m.nonfinite_mismatch = 8;
  EXPECT_THAT(to_console(report, {.width = 120}, run_folder_shown),
              ::testing::ContainsRegex("layer_30 .* NaN/inf +made here"));
}

TEST(CompareConsole, WithinTheToleranceIsSaidInTheFirstLine) {
  CompareReport report = same();
  EXPECT_TRUE(to_console(report, {}, run_folder_shown).starts_with("the same\n"));
  report.verdict = Verdict::deviates;
  EXPECT_TRUE(to_console(report, {}, run_folder_shown).starts_with("the same within the tolerance\n"));
}

TEST(CompareConsole, AModelThatWasNotRunHasNoLevel) {
  CompareReport report = same();
  EXPECT_THAT(to_console(report, {}, run_folder_shown), ::testing::HasSubstr(", level off; "));
  report.reference_level.clear();
  EXPECT_THAT(to_console(report, {}, run_folder_shown), Not(HasSubstr("level")));
}

TEST(CompareConsole, SaysTheSizesOfEverySecondSample) {
  CompareReport report = same();
  report.data.dims = {{"batch", 7}, {"length", 3}};
  report.data.other_dims = {{"batch", 11}, {"length", 3}};
  EXPECT_THAT(to_console(report, {}, run_folder_shown),
              HasSubstr("3 samples (random inputs, seed 0, batch=7|11, length=3)"));
}

TEST(CompareConsole, SaysHowTheUsersOwnDataAreReadAndWhatIsMadeUpWhereItIsAsked) {
  CompareReport report = same();
  report.data.choices = {"labels from the names of folders: 2 classes, numbered by the order of their names: ant = 0"};
  EXPECT_THAT(to_console(report, {}, run_folder_shown), Not(HasSubstr("labels from")));
  EXPECT_THAT(to_console(report, {.verbose = true}, run_folder_shown), HasSubstr("labels from"));
  report.data.source = DataSource::pictures;
  EXPECT_THAT(
      to_console(report, {.width = 120}, run_folder_shown),
      HasSubstr("\n  data  labels from the names of folders: 2 classes, numbered by the order of their names: ant"));
}

TEST(CompareConsole, VerboseShowsEveryRow) {
  const std::string text = to_console(parted(), {.verbose = true}, run_folder_shown);
  for (int i = 0; i < 60; ++i) EXPECT_THAT(text, HasSubstr("\n  layer_" + std::to_string(i) + " "));
}

int validate_comparison(const std::string& text) {
  const auto root = std::filesystem::weakly_canonical(CULPRIT_SOURCE);
  const auto path =
      std::filesystem::path(::testing::TempDir()) / ("culprit_compare_test_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << text;
  const std::string command = "/usr/bin/python3 '" + (root / "tests/schema/validate.py").string() + "' '" +
                              (root / "docs/compare.schema.json").string() + "' '" + path.string() + "'";
  const int status = std::system(command.c_str());
  std::filesystem::remove(path);
  return status;
}

TEST(CompareJson, IsValidByTheStrictSchema) {
  for (const CompareReport& report : {parted(), same(), without_anything_in_common()}) {
    CompareReport one = report;
    one.tool_version = "0.1.0";
    EXPECT_EQ(validate_comparison(to_json(one)), 0);
  }
}

TEST(CompareJson, CorruptedIsNot) {
  const auto text = nlohmann::json::parse(to_json(parted()));
  const auto broken = [&](const auto& edit) {
    auto copy = text;
    edit(copy);
    return validate_comparison(copy.dump());
  };
  EXPECT_NE(broken([](auto& r) { r["status"] = "perhaps"; }), 0);
  EXPECT_NE(broken([](auto& r) { r["extra"] = 1; }), 0);
  EXPECT_NE(broken([](auto& r) { r["coverage"].erase("fused"); }), 0);
  EXPECT_NE(broken([](auto& r) { r["values"][0]["state"] = "odd"; }), 0);
  EXPECT_NE(broken([](auto& r) { r["values"][0]["measurement"]["max_abs"] = -1; }), 0);
  EXPECT_NE(broken([](auto& r) { r["first_divergence"]["nodes_a"][0]["index"] = "x"; }), 0);
}

TEST(CompareJson, WhatDoesNotExistIsNull) {
  const auto json = nlohmann::json::parse(to_json(parted()));
  EXPECT_TRUE(json["values"][1]["b"].is_null());
  EXPECT_TRUE(json["values"][1]["by"].is_null());
  EXPECT_EQ(json["values"][1]["node_b"]["op"], "Conv");
  EXPECT_TRUE(json["values"][3]["node_b"].is_null());
  EXPECT_TRUE(json["values"][5]["measurement"].is_null()) << "it was not read";
  EXPECT_EQ(json["values"][33]["measurement"]["max_abs"], "inf");
  EXPECT_TRUE(is_report(to_json(parted()))) << "a run folder of ours";
}

}  // namespace
}  // namespace culprit
