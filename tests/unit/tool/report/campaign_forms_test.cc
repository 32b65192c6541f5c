// A campaign as other programs read it, with texts that nobody would choose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "report/campaign_report.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* hostile_name = "mo dels/\x01\x1b[31m<a>&\"'{0}[x](y)\xEF\xBF\xBF ]]>\xFF:50%.onnx";

CaseRecord finished_case(const std::string& model, std::optional<OutcomeStatus> status) {
  CaseParts parts;
  parts.add(KeyPart::job, "check").add(KeyPart::model, model);
  CaseRecord shown{{{CaseKey::of(parts).value(), "", 1}}, {}, "", {}};
  shown.entry.state = status ? CaseState::finished : CaseState::waiting;
  shown.entry.status = status;
  shown.entry.seconds = 1.25;
  shown.order.model = model;
  shown.order.optimizer = "onnx_optimizer";
  shown.order.flags = {"--samples", "5", "--dim", "a b=3"};
  return shown;
}

DistinctFault fault_by(const std::string& step, const CaseRecord& of, const std::string& known) {
  DistinctFault fault{{}, of.entry.planned.key, of.order, {}, {}, 1};
  fault.first.key = {{step}, Verdict::diverged, "diverged | " + step, ""};
  fault.first.message = "output 'y' differs by 0.5 \x07<b>&";
  fault.first.place = "conv1_out";
  fault.first.repro = "repro/F1";
  fault.first.known_id = known;
  fault.models = {of.order.model};
  fault.optimizers = {of.order.optimizer};
  return fault;
}

/// A case of each status, and one that waits; two faults, one of them known.
CampaignRecord record_of_all() {
  CampaignRecord record;
  record.cases = {
      finished_case(hostile_name, OutcomeStatus::fault), finished_case("b.onnx", OutcomeStatus::known),
      finished_case("c.onnx", OutcomeStatus::ok),        finished_case("d.onnx", OutcomeStatus::inconclusive),
      finished_case("e.onnx", OutcomeStatus::failed),    finished_case("f.onnx", std::nullopt)};
  record.faults = {fault_by("fuse_pad", record.cases[0], ""), fault_by("fuse_<bn>", record.cases[1], "K1")};
  record.cases[0].faults = {0, 1};
  record.cases[1].faults = {1};
  record.cases[4].reason = "it ended with exit code 2: \x02 & more";
  record.models = 6;
  record.models_at_fault = 2;
  return record;
}

int check_form(const std::string& form, const std::string& text) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-form-").value();
  const fs::path file = folder.path() / "form";
  std::ofstream(file, std::ios::binary) << text;
  const std::string checker = CULPRIT_SOURCE "/tests/schema/campaign_forms.py";
  return std::system(("/usr/bin/python3 '" + checker + "' --corrupt " + form + " '" + file.string() + "'").c_str());
}

TEST(CampaignForms, JunitIsWhatServersRead) {
  EXPECT_EQ(check_form("junit", campaign_as_junit(record_of_all(), "my runs/1")), 0);
  EXPECT_THAT(campaign_as_junit({}, "r"), HasSubstr("<testsuites name=\"culprit\" tests=\"0\""));
}

TEST(CampaignForms, AFailureOfJunitSaysTheCauseAndHowToRepeatIt) {
  const std::string text = campaign_as_junit(record_of_all(), "my runs/1");
  const std::string key = record_of_all().cases[0].entry.planned.key.hex();
  EXPECT_THAT(text, AllOf(HasSubstr("message=\"wrong by fuse_pad: output 'y' differs by 0.5 ?&lt;b&gt;&amp;; wrong by"),
                          HasSubstr("\nwhere: conv1_out\nsignature: diverged | fuse_pad\n"),
                          HasSubstr("culprit replay 'my runs/1/cases/" + key + "/repro/F1'\n")));
  EXPECT_THAT(text, HasSubstr("\nwhat, in b.onnx: output 'y' differs"));
  EXPECT_THAT(text, HasSubstr("again, from the folder of the campaign: culprit check e.onnx --optimizer onnx_optimizer "
                              "--jobs 1 --samples 5 --dim 'a b=3'\n"));
}

TEST(CampaignForms, AFailureOfJunitSaysThatItWasJudgedAgain) {
  CampaignRecord record = record_of_all();
  record.again.emplace().tolerance = {0.01, 0.5};
  EXPECT_THAT(campaign_as_junit(record, "r"),
              HasSubstr("\njudged again with --atol 0.01 --rtol 0.5; the other lines are those of the run\n"));
}

TEST(CampaignForms, SarifIsWhatCodeScanningReads) {
  EXPECT_EQ(check_form("sarif", campaign_as_sarif(record_of_all(), "1.0")), 0);
}

TEST(CampaignForms, AResultOfSarifNamesTheValue) {
  const std::string text = campaign_as_sarif(record_of_all(), "1.0");
  EXPECT_THAT(text, AllOf(HasSubstr(R"("startLine": 1)"), HasSubstr(R"("fullyQualifiedName": "b.onnx/conv1_out")")));
}

TEST(CampaignForms, CsvHasTheKeyAndTheFlagsOfEachCase) {
  const CampaignRecord record = record_of_all();
  const std::string text = campaign_as_csv(record);
  EXPECT_THAT(text.substr(0, text.find('\n')), ::testing::EndsWith(",signatures,reason,key,flags"));
  // A spreadsheet would take a word that begins with a dash for a formula.
  EXPECT_THAT(text, HasSubstr("," + record.cases[2].entry.planned.key.hex() + ",'--samples 5 --dim 'a b=3'\n"));
}

TEST(CampaignForms, TextStandsLeftInMarkdownAndNumbersRight) {
  const std::string text = campaign_as_markdown(record_of_all(), {});
  EXPECT_THAT(text, HasSubstr("| Fault | Models | Cases | Known | First model | What |\n"
                              "| --- | ---: | ---: | --- | --- | --- |\n"));
  EXPECT_THAT(text, HasSubstr("| Case | State | Why |\n| --- | --- | --- |\n"));
}

}  // namespace
}  // namespace culprit
