#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "record/report_schema.h"
#include "report/diagnosis_console.h"
#include "report/diagnosis_figures.h"
#include "report/diagnosis_json.h"
#include "report/json.h"
#include "report/layout.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string run_of_diagnosis = ".culprit/20260131T235959Z-1a2b";

ConversionFault wrong_number() {
  ConversionFault fault;
  fault.id = "F1";
  fault.kind = FaultClass::parameter;
  fault.source = {"/block/conv", "Conv", 4};
  fault.group = {fault.source, {"bn", "BatchNormalization", 5}};
  fault.target = {{"n5", "Conv", 7}, "t5", ""};
  fault.evidence = {"elements",
                    {{"wrong", 1}, {"of", 864}},
                    {{{0, 0, 2, 1}, {0, 0, 2, 1}, -0.0782, 0.931}},
                    "1 of 864 numbers is wrong: [0,0,2,1] is 0.931, should be -0.0782"};
  fault.repair = {"1 number of 't5'", "", "", 3.3, 1.9e-06};
  fault.confirmed = true;
  return fault;
}

ConversionFault wrong_kernel_shape() {
  ConversionFault fault;
  fault.id = "F2";
  fault.kind = FaultClass::hyperparameter;
  fault.source = {"", "MaxPool", 10};
  fault.target = {{"n13", "MaxPool", 12}, "", "kernel_shape"};
  fault.evidence = {"hyper", {}, {}, "kernel_shape is [3,3], should be [2,2]"};
  fault.repair = {"kernel_shape of 'n13' := [2,2]", "[2,2]", "[3,3]", 4.3, 4};
  fault.not_confirmed_because = "the layer is as wrong as before";
  return fault;
}

/// Sixteen layers, of which the sixth and the eleventh are wrong.
Diagnosis faulty() {
  Diagnosis diagnosis;
  diagnosis.tool_version = "0.1.0";
  diagnosis.command = {"culprit", "diagnose", "cnn.onnx", "cnn_nhwc.onnx"};
  diagnosis.source = {"models/cnn.onnx", std::string(64, 'a'), "ONNX", 16};
  diagnosis.target = {"models/" + std::string(90, 'b') + ".onnx", std::string(64, 'b'), "ONNX", 25};
  diagnosis.data.source = DataSource::synthesized;
  diagnosis.data.samples = 10;
  diagnosis.status = DiagnosisStatus::faulty;
  diagnosis.inputs = {{"x", "x", "axes 0, 2, 3, 1 of [1,3,8,8]", {}}};
  BoundOutput output{"v15", "probabilities", "", {}};
  output.measurement.max_abs = 0.22;
  output.measurement.floor = 3e-7;
  output.measurement.mismatched = output.measurement.elements = 100;
  diagnosis.outputs = {output};
  diagnosis.map.counts = {16, 8, 5, 3, 0, 16, 14};
  diagnosis.map.values = {{"x", "x", "axes 0,2,3,1", "binding", 0, 0}};
  diagnosis.parameters = {{{"/block/conv", "Conv", 4}, "conv.weight", "t5", "changed", "", 0.0012, 0.3, 1}};
  for (int i = 0; i < 16; ++i) {
    LayerRow row;
    row.source = {"layer " + std::to_string(i), "Relu", i};
    row.target = {"node " + std::to_string(i), "Relu", i};
    row.found = i == 3 ? LayerFound::by_consumer : LayerFound::itself;
    row.error = i < 5 ? 1e-6 : 3.3;
    row.floor = 6e-6;
    if (i == 5) row.fault = "F1";
    if (i == 10) row.fault = "F2";
    diagnosis.layers.push_back(row);
  }
  diagnosis.layers[4].target = {};
  diagnosis.faults = {wrong_number(), wrong_kernel_shape()};
  diagnosis.runs = 40;
  diagnosis.seconds = 1.5;
  return diagnosis;
}

Diagnosis unlike() {
  Diagnosis diagnosis;
  diagnosis.source = {"a.onnx", "", "ONNX", 3};
  diagnosis.target = {"b.onnx", "", "ONNX", 3};
  diagnosis.status = DiagnosisStatus::nothing_in_common;
  diagnosis.message = "no output of the source stands for one of the target";
  return diagnosis;
}

StageRecord stage(const std::string& name, StageStep step) {
  StageRecord made;
  made.file = {"models/" + name, std::string(64, 'c'), "TFLite", 12};
  made.name = name;
  made.step = step;
  made.status = step == StageStep::right || step == StageStep::mended ? DiagnosisStatus::same : DiagnosisStatus::faulty;
  made.before = "cnn.onnx";
  for (int i = 0; i < 14; ++i) made.samples.push_back({1e-7 * i});
  return made;
}

/// The second of four files is wrong, the third adds a fault and mends one, the last does not run.
Diagnosis in_stages() {
  Diagnosis diagnosis = faulty();
  diagnosis.stages = {stage("one.tflite", StageStep::right), stage("two.tflite", StageStep::added),
                      stage("three.onnx", StageStep::added), stage("four.onnx", StageStep::added)};
  diagnosis.stages[1].samples[3] = {0.25, true, true};
  diagnosis.stages[2].samples[3] = {0.0003, true, false};
  diagnosis.stages[1].faults = {"F1", "F2"};
  diagnosis.stages[2].faults = {"F3"};
  diagnosis.stages[2].inherits = {"F2"};
  diagnosis.stages[2].mends = {"F1"};
  diagnosis.stages[3].samples.clear();
  for (ConversionFault& fault : diagnosis.faults) fault.stage = "two.tflite";
  return diagnosis;
}

TEST(DiagnosisConsole, SaysWhatEachStageDid) {
  const std::string text = to_console(in_stages(), {.width = 80}, run_of_diagnosis);
  EXPECT_THAT(text, HasSubstr("\n  stage   models/two.tflite  12 layers (TFLite)\n"));
  EXPECT_THAT(text, HasSubstr("\n    1  one.tflite  right\n"));
  EXPECT_THAT(text, HasSubstr("\n  ! 2  two.tflite  wrong: adds F1, F2 (the first wrong file)\n"));
  EXPECT_THAT(text, HasSubstr("\n  ! 3  three.onnx  wrong: adds F3; inherits F2; mends F1\n"));
  EXPECT_THAT(text, HasSubstr("\n  ! 4  four.onnx  wrong: adds a fault that could not be named\n"));
  EXPECT_THAT(text, HasSubstr("F1 parameter in two.tflite: Conv '/block/conv'"));
  EXPECT_THAT(text, HasSubstr("\n  layers of cnn.onnx in two.tflite:\n"));
  EXPECT_THAT(text, HasSubstr("\n    sample        1         2         3         4\n"));
  EXPECT_THAT(text, HasSubstr("\n         3  3.0e-07   2.5e-01!  3.0e-04~        -\n"));
  EXPECT_THAT(text, Not(HasSubstr("\n         2  ")));
  EXPECT_THAT(text, HasSubstr("\n         5  "));
  EXPECT_THAT(text, HasSubstr("\n  and 4 more samples\n"));
  EXPECT_THAT(to_console(in_stages(), {.width = 80, .verbose = true}, run_of_diagnosis), HasSubstr("\n         2  "));
}

TEST(DiagnosisConsole, SaysThatAStageIsMended) {
  Diagnosis one = in_stages();
  one.status = DiagnosisStatus::same;
  one.message = "two.tflite is wrong, and three.onnx is right again";
  one.stages = {one.stages[1], stage("three.onnx", StageStep::mended), stage("four.onnx", StageStep::unknown),
                stage("five.onnx", StageStep::inherited)};
  one.stages[1].mends = {"F1", "F2"};
  one.stages[2].status = DiagnosisStatus::not_judged;
  one.stages[2].message = "it has int8 weights";
  const std::string text = to_console(one, {.width = 80}, run_of_diagnosis);
  EXPECT_THAT(text, ::testing::StartsWith("the same\n"));
  EXPECT_THAT(text, HasSubstr("  two.tflite is wrong, and three.onnx is right again\n"));
  EXPECT_THAT(text, HasSubstr("\n    2  three.onnx  right: mends F1, F2\n"));
  EXPECT_THAT(text, HasSubstr("\n    3  four.onnx  cannot be judged: it has int8 weights\n"));
  EXPECT_THAT(text, HasSubstr("\n  ! 4  five.onnx  wrong: as cnn.onnx, without a fault of its own\n"));
}

/// As many files as there is room for, and more.
Diagnosis in_many_stages() {
  Diagnosis one = in_stages();
  for (int i = 0; i < 9; ++i) one.stages.push_back(stage(std::string(60, 'n') + std::to_string(i), StageStep::right));
  return one;
}

TEST(DiagnosisConsole, SaysTheFaultsInOrderWithWhatIsRight) {
  const std::string text = to_console(faulty(), {.width = 100}, run_of_diagnosis);
  EXPECT_THAT(text, ::testing::StartsWith("FAULTY: 2 faults, 1 of 2 confirmed\n"));
  EXPECT_THAT(text, HasSubstr("output v15 = probabilities: max abs error 0.22, expected rounding error 3e-07"));
  EXPECT_THAT(text, HasSubstr("map: 8 of 8 layers with parameters found (3 only by what follows)"));
  EXPECT_THAT(text, HasSubstr("F1 parameter Conv '/block/conv' (with BatchNormalization 'bn') -> Conv 'n5', tensor"));
  EXPECT_THAT(text, HasSubstr("[0,0,2,1] is 0.931, should be -0.0782"));
  EXPECT_THAT(text, HasSubstr("fixed by 1 number of 't5': the error of this layer goes from 3.3 to 1.9e-06"));
  EXPECT_THAT(text, HasSubstr("is [3,3], should be [2,2]"));
  EXPECT_THAT(text, HasSubstr("not confirmed: the layer is as wrong as before"));
  EXPECT_LT(text.find("F1 parameter"), text.find("F2 hyperparameter"));
  EXPECT_THAT(
      text,
      ::testing::EndsWith(
          "\nfigures: .culprit/20260131T235959Z-1a2b/figures\nreport: .culprit/20260131T235959Z-1a2b/report.json\n"));
}

TEST(DiagnosisConsole, SaysFirstThatTheTargetDoesNotLoad) {
  Diagnosis one = faulty();
  one.faults = {wrong_kernel_shape()};
  one.faults[0].evidence.kind = "does_not_load";
  one.message = "the target does not load: Erfc 'gelu': the runtime does not know the operator Erfc";
  one.outputs[0].measurement = {};
  one.outputs[0].measurement.note = "not compared: the target does not run";
  const std::string text = to_console(one, {.width = 100}, run_of_diagnosis);
  EXPECT_THAT(text, ::testing::StartsWith("FAULTY: the target does not load: Erfc 'gelu': the runtime does not know"));
  EXPECT_THAT(text, HasSubstr("probabilities: not compared: the target does not run"));
  EXPECT_THAT(text, Not(HasSubstr("not a bit differs")));
}

TEST(DiagnosisConsole, ShowsTheLayersAroundFaults) {
  const std::string text = to_console(faulty(), {.width = 100}, run_of_diagnosis);
  for (int i = 0; i < 16; ++i) {
    const bool is_near = (i >= 3 && i <= 7) || (i >= 8 && i <= 12);
    EXPECT_EQ(text.find("Relu layer " + std::to_string(i) + " ") != std::string::npos, is_near) << i;
  }
  EXPECT_THAT(text, HasSubstr("\n  ! Relu layer 5 "));
  const std::string all = to_console(faulty(), {.width = 100, .verbose = true}, run_of_diagnosis);
  for (int i = 0; i < 16; ++i) EXPECT_THAT(all, HasSubstr("Relu layer " + std::to_string(i) + " "));
  EXPECT_THAT(all, Not(HasSubstr("...\n")));
}

TEST(DiagnosisConsole, NoLineIsWiderThanTheTerminal) {
  for (const Diagnosis& one : {faulty(), unlike(), in_stages(), in_many_stages()})
    for (const int width : {60, 80, 120})
      for (const std::string& line : split(to_console(one, {.width = width}, run_of_diagnosis), '\n'))
        EXPECT_LE(display_width(line), width) << line;
}

TEST(DiagnosisConsole, SaysWhyItCannotJudge) {
  const std::string text = to_console(unlike(), {}, run_of_diagnosis);
  EXPECT_THAT(text, ::testing::StartsWith("cannot judge: nothing in common\n"));
  EXPECT_THAT(text, HasSubstr("no output of the source stands for one of the target"));
}

TEST(DiagnosisConsole, NamesCannotMoveTheCursor) {
  Diagnosis one = faulty();
  one.faults[0].source.name = one.layers[5].source.name = one.faults[1].repair.right = "\x1b[2Jx";
  EXPECT_THAT(to_console(one, {}, run_of_diagnosis), Not(HasSubstr("\x1b")));
}

int validate_diagnosis(const std::string& text) {
  const auto root = std::filesystem::weakly_canonical(CULPRIT_SOURCE);
  const auto path =
      std::filesystem::path(::testing::TempDir()) / ("culprit_diagnosis_test_" + std::to_string(getpid()) + ".json");
  std::ofstream(path) << text;
  const std::string command = "/usr/bin/python3 '" + (root / "tests/schema/validate.py").string() + "' '" +
                              (root / "docs/diagnosis.schema.json").string() + "' '" + path.string() + "'";
  const int status = std::system(command.c_str());
  std::filesystem::remove(path);
  return status;
}

std::size_t count_of_part(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What they look like is for eyes: CULPRIT_FIGURES=FOLDER keeps them there.
void keep_figures(const Diagnosis& diagnosis, const std::string& name) {
  const char* const folder = std::getenv("CULPRIT_FIGURES");
  if (folder == nullptr) return;
  std::filesystem::create_directories(folder);
  for (const Figure& figure : figures_of(diagnosis))
    std::ofstream(std::filesystem::path(folder) / (name + "_" + figure.file)) << figure.svg;
}

TEST(DiagnosisFigures, ErrorsHaveALineEachAndFaultsAMark) {
  Diagnosis diagnosis = faulty();
  for (LayerRow& row : diagnosis.layers)
    row.error_alone = row.fault.empty() ? std::optional(row.source.number % 3 == 0 ? 0 : 1e-6) : row.error;
  diagnosis.layers[5].source.name = "<a & b>";
  keep_figures(diagnosis, "faulty");
  const auto figures = figures_of(diagnosis);
  ASSERT_EQ(figures.size(), 2U);
  EXPECT_EQ(figures[0].file, "error_along.svg");
  EXPECT_EQ(count_of_part(figures[0].svg, "<polyline"), 3U) << "as it came, alone, and what rounding explains";
  EXPECT_EQ(count_of_part(figures[0].svg, "<circle"), 32U) << "a dot for each layer, as it came and alone";
  EXPECT_THAT(figures[0].svg, HasSubstr(">F1 &lt;a &amp; b&gt;<"));
  EXPECT_THAT(figures[0].svg, HasSubstr(">F2 layer 10<"));
  EXPECT_THAT(figures[0].svg, Not(HasSubstr("nan")));
  EXPECT_EQ(figures[1].file, "parameter_differences.svg");
  EXPECT_EQ(count_of_part(figures[1].svg, "<circle"), 1U);
  EXPECT_THAT(to_console(diagnosis, {}, "run"), HasSubstr("\nfigures: run/figures\n"));
}

TEST(DiagnosisFigures, WhereNothingDiffersThereIsNone) {
  EXPECT_TRUE(figures_of(unlike()).empty());
  EXPECT_THAT(to_console(unlike(), {}, "run"), Not(HasSubstr("figures")));
  Diagnosis same = faulty();
  same.parameters[0].mean_difference = 0;
  for (LayerRow& row : same.layers) row.error = row.floor = 0;
  EXPECT_TRUE(figures_of(same).empty());
  same.layers[3].error = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(figures_of(same).empty()) << "a region that does not run has no number";
}

TEST(DiagnosisJson, IsValidByTheStrictSchema) {
  for (Diagnosis one : {faulty(), unlike(), in_stages()}) {
    one.tool_version = "0.1.0";
    EXPECT_EQ(validate_diagnosis(to_json(one)), 0);
    EXPECT_TRUE(is_report(to_json(one)));
  }
}

TEST(DiagnosisJson, CorruptedIsNot) {
  const auto text = nlohmann::json::parse(to_json(faulty()));
  const auto broken = [&](const auto& edit) {
    auto copy = text;
    edit(copy);
    return validate_diagnosis(copy.dump());
  };
  EXPECT_NE(broken([](auto& r) { r["faults"][0]["class"] = "perhaps"; }), 0);
  EXPECT_NE(broken([](auto& r) { r["faults"][0].erase("confirmed"); }), 0);
  EXPECT_NE(broken([](auto& r) { r["layers"][0]["found"] = true; }), 0);
  EXPECT_NE(broken([](auto& r) { r["more"] = 1; }), 0);
  const auto staged = nlohmann::json::parse(to_json(in_stages()));
  auto copy = staged;
  copy["stages"][0]["step"] = "perhaps";
  EXPECT_NE(validate_diagnosis(copy.dump()), 0);
  EXPECT_EQ(staged["stages"][2]["mends"], nlohmann::json({"F1"}));
  EXPECT_EQ(staged["stages"][1]["samples"][3]["wrong"], true);
}

TEST(DiagnosisStatuses, HaveTheirExitCodes) {
  EXPECT_EQ(exit_code_of(DiagnosisStatus::same), 0);
  EXPECT_EQ(exit_code_of(DiagnosisStatus::faulty), 1);
  for (const auto status : {DiagnosisStatus::not_judged, DiagnosisStatus::weak_data, DiagnosisStatus::nothing_in_common,
                            DiagnosisStatus::cannot_judge})
    EXPECT_EQ(exit_code_of(status), 3);
}

}  // namespace
}  // namespace culprit
