// A conversion in steps, on diagnoses that are made up: what is asked, and what is told of it.
#include "app/diagnose_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto outputs = DiagnosisDepth::outputs;
constexpr auto if_wrong = DiagnosisDepth::faults_if_wrong;
constexpr auto all = DiagnosisDepth::all;

Diagnosis right() {
  Diagnosis diagnosis;
  diagnosis.status = DiagnosisStatus::same;
  diagnosis.samples = {{1e-7}, {2e-7}};
  diagnosis.runs = 2;
  return diagnosis;
}

/// Layers of the files are numbered alike here, and a fault is named by its layer's number.
Diagnosis wrong_at(const std::vector<int>& layers) {
  Diagnosis diagnosis = right();
  diagnosis.status = DiagnosisStatus::faulty;
  diagnosis.message = "faults";
  diagnosis.samples = {{0.5, true, true}, {2e-7}};
  for (const int layer : layers) {
    ConversionFault fault;
    fault.id = "F" + std::to_string(diagnosis.faults.size() + 1);
    fault.source = fault.target.node = {"layer" + std::to_string(layer), "Conv", layer};
    diagnosis.faults.push_back(fault);
    LayerRow row;
    row.source = fault.source;
    row.fault = fault.id;
    diagnosis.layers.push_back(row);
  }
  return diagnosis;
}

Diagnosis not_running() {
  Diagnosis diagnosis = wrong_at({7});
  diagnosis.samples.clear();
  return diagnosis;
}

Diagnosis not_judged(bool has_run) {
  Diagnosis diagnosis = right();
  diagnosis.status = has_run ? DiagnosisStatus::not_judged : DiagnosisStatus::nothing_in_common;
  diagnosis.message = "nobody knows";
  if (!has_run) diagnosis.samples.clear();
  return diagnosis;
}

class DiagnoseChain : public ::testing::Test {
 protected:
  Diagnosis diagnose() {
    const auto told = diagnose_chain(names, [this](std::size_t before, std::size_t file, DiagnosisDepth depth) {
      asked.push_back({before, file, depth});
      const auto found = pairs.find({before, file});
      Diagnosis diagnosis = found == pairs.end() ? right() : found->second;
      const bool is_hidden = hidden.contains({before, file});
      const bool shows_faults = depth == all || (depth == if_wrong && !is_hidden);
      if (!shows_faults) diagnosis.faults.clear();
      if (is_hidden && !shows_faults) diagnosis.status = DiagnosisStatus::same;
      return Result<Diagnosis>(diagnosis);
    });
    EXPECT_TRUE(told) << told.error().text();
    return *told;
  }

  using Asked = std::tuple<std::size_t, std::size_t, DiagnosisDepth>;
  std::vector<std::string> names = {"source", "one", "two"};
  std::map<std::pair<std::size_t, std::size_t>, Diagnosis> pairs;  ///< those that are not right
  std::set<std::pair<std::size_t, std::size_t>> hidden;            ///< of these no output shows a fault
  std::vector<Asked> asked;
};

std::vector<StageStep> steps_of(const Diagnosis& diagnosis) {
  std::vector<StageStep> steps;
  for (const StageRecord& stage : diagnosis.stages) steps.push_back(stage.step);
  return steps;
}

std::vector<std::string> faults_of(const Diagnosis& diagnosis) {
  std::vector<std::string> told;
  for (const ConversionFault& fault : diagnosis.faults)
    told.push_back(fault.id + " " + fault.stage + " " + fault.source.name);
  return told;
}

TEST_F(DiagnoseChain, AllRightIsHeldOnceAgainstTheSource) {
  const Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::same);
  EXPECT_THAT(told.message, IsEmpty());
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::right));
  EXPECT_THAT(asked, ElementsAre(Asked{0, 1, if_wrong}, Asked{0, 2, outputs}, Asked{0, 2, all}));
  EXPECT_EQ(told.runs, 6);
  EXPECT_EQ(told.stages[0].name, "one");
  EXPECT_EQ(told.stages[1].before, "one");
  EXPECT_EQ(told.stages[1].samples.size(), 2U);
}

TEST_F(DiagnoseChain, AFaultOfTheFirstFileIsInherited) {
  pairs[{0, 1}] = pairs[{0, 2}] = wrong_at({4});
  const Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::faulty);
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::inherited));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer4"));
  EXPECT_THAT(told.stages[0].faults, ElementsAre("F1"));
  EXPECT_THAT(told.stages[1].faults, IsEmpty());
  EXPECT_THAT(told.message, HasSubstr("one: "));
  EXPECT_THAT(asked, ElementsAre(Asked{0, 1, if_wrong}, Asked{0, 2, outputs}, Asked{1, 2, if_wrong}));
  ASSERT_EQ(told.layers.size(), 1U);
  EXPECT_EQ(told.layers[0].fault, "F1");
}

TEST_F(DiagnoseChain, OnlyTheSecondFileIsWrong) {
  pairs[{0, 2}] = wrong_at({4});
  pairs[{1, 2}] = wrong_at({5});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::added));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 two layer5")) << "as the file before it has it";
}

TEST_F(DiagnoseChain, AFaultInEach) {
  pairs[{0, 1}] = wrong_at({4});
  pairs[{1, 2}] = wrong_at({6});
  pairs[{0, 2}] = wrong_at({4, 6});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::added));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer4", "F2 two layer6"));
  EXPECT_THAT(told.stages[1].faults, ElementsAre("F2"));
  EXPECT_THAT(told.stages[1].inherits, ElementsAre("F1"));
  EXPECT_THAT(told.stages[1].mends, IsEmpty());
}

TEST_F(DiagnoseChain, TheSecondMendsTheFirst) {
  pairs[{0, 1}] = wrong_at({4});
  const Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::same);
  EXPECT_EQ(told.message, "one is wrong, and two is right again");
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::mended));
  EXPECT_THAT(told.stages[1].mends, ElementsAre("F1"));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer4"));
}

TEST_F(DiagnoseChain, TheSecondMendsOneOfTwo) {
  pairs[{0, 1}] = wrong_at({4, 6});
  pairs[{1, 2}] = wrong_at({6});
  pairs[{0, 2}] = wrong_at({4});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::inherited));
  EXPECT_THAT(told.stages[1].mends, ElementsAre("F2"));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer4", "F2 one layer6"));
}

TEST_F(DiagnoseChain, TheSecondMendsOneAndAddsAnother) {
  pairs[{0, 1}] = wrong_at({4, 6});
  pairs[{1, 2}] = wrong_at({6, 8});
  pairs[{0, 2}] = wrong_at({4, 8});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::added));
  EXPECT_THAT(told.stages[1].mends, ElementsAre("F2"));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer4", "F2 one layer6", "F3 two layer8"));
}

TEST_F(DiagnoseChain, AFaultThatALaterFileAddedIsMendedByTheLast) {
  names.emplace_back("three");
  pairs[{0, 2}] = pairs[{1, 2}] = wrong_at({5});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::added, StageStep::mended));
  EXPECT_EQ(told.message, "two is wrong, and three is right again");
  EXPECT_THAT(asked, ElementsAre(Asked{0, 1, if_wrong}, Asked{0, 2, outputs}, Asked{1, 2, if_wrong},
                                 Asked{0, 3, outputs}, Asked{0, 3, all}));
}

TEST_F(DiagnoseChain, WhatDoesNotRunIsPassedOver) {
  pairs[{0, 1}] = not_running();
  EXPECT_THAT(steps_of(diagnose()), ElementsAre(StageStep::added, StageStep::mended));
  pairs[{0, 2}] = wrong_at({5});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::added));
  EXPECT_EQ(told.stages[1].before, "source");
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer7", "F2 two layer5"));
}

TEST_F(DiagnoseChain, SmallErrorsThatAddUpAreHeldAgainstTheSource) {
  pairs[{0, 2}] = wrong_at({4});
  const Diagnosis told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::added));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 two layer4"));
}

TEST_F(DiagnoseChain, WhatCannotBeJudgedIsSaid) {
  pairs[{0, 2}] = not_judged(true);
  Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::not_judged);
  EXPECT_EQ(told.message, "nobody knows");
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::unknown));
  pairs[{0, 1}] = wrong_at({4});
  told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::faulty) << "the first is wrong, and nobody mended it";
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::unknown));
  pairs[{0, 1}] = not_judged(false);
  pairs[{0, 2}] = wrong_at({4});
  told = diagnose();
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::unknown, StageStep::added));
  EXPECT_EQ(told.stages[1].before, "source");
}

TEST_F(DiagnoseChain, AFaultThatNoOutputShowsHasItsStage) {
  pairs[{0, 2}] = pairs[{1, 2}] = wrong_at({5});
  hidden = {{0, 2}, {1, 2}};
  const Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::faulty);
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::right, StageStep::added));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 two layer5"));
}

TEST_F(DiagnoseChain, ASmallDifferenceIsLookedAtClosely) {
  pairs[{0, 1}] = pairs[{0, 2}] = wrong_at({5});
  for (auto& [pair, diagnosis] : pairs) diagnosis.samples = {{1e-4, true, false}, {2e-7}};
  hidden = {{0, 1}, {0, 2}};
  Diagnosis told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::faulty);
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::inherited));
  EXPECT_THAT(faults_of(told), ElementsAre("F1 one layer5"));
  EXPECT_THAT(asked, ElementsAre(Asked{0, 1, if_wrong}, Asked{0, 1, all}, Asked{0, 2, outputs}, Asked{1, 2, all}));
  pairs.erase({0, 2});
  told = diagnose();
  EXPECT_EQ(told.status, DiagnosisStatus::same);
  EXPECT_THAT(steps_of(told), ElementsAre(StageStep::added, StageStep::mended));
  pairs[{0, 1}].faults.clear();
  EXPECT_THAT(steps_of(diagnose()), ElementsAre(StageStep::right, StageStep::right)) << "nothing is found";
}

TEST_F(DiagnoseChain, WarningsNameTheirFile) {
  pairs[{0, 1}] = pairs[{0, 2}] = wrong_at({4});
  pairs[{0, 1}].warnings = {{"not_explained", "something"}};
  const Diagnosis told = diagnose();
  ASSERT_EQ(told.warnings.size(), 1U);
  EXPECT_EQ(told.warnings[0].message, "one: something");
}

}  // namespace
}  // namespace culprit
