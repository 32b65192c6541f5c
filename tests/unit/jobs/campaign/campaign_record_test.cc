#include "campaign/campaign_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "base/file.h"
#include "store/case_store.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string fault(const std::string& step, const std::string& signature, const std::string& fingerprint = "") {
  return R"({"culprits": [")" + step + R"("], "verdict": "diverged", "signature": ")" + signature +
         R"(", "reduced_fingerprint": ")" + fingerprint + R"(", "message": "m", "repro": "repro/F1", "known": null,
           "first_divergence": {"original": "y"}})";
}

std::string report(const std::string& faults) { return R"({"models": [{"faults": [)" + faults + "]}]}"; }

class DistinctCauses : public ::testing::Test {
 protected:
  void finish(const std::string& model, OutcomeStatus status, const std::string& text) {
    CaseParts parts;
    parts.add(KeyPart::job, "check").add(KeyPart::model, model);
    const CaseKey key = CaseKey::of(parts).value();
    CaseOrder order;
    order.model = model;
    ASSERT_TRUE(store_.plan(std::vector{PlannedCase{key, as_description(order), 1}}));
    const auto attempt = store_.begin(key);
    ASSERT_TRUE(attempt);
    ASSERT_TRUE(store_.finish(*attempt, {status, 1, text}));
  }
  [[nodiscard]] CampaignRecord record(const RecordFilter& filter = {}) const {
    return read_record(store_, filter).value();
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-record-").value();

 protected:
  CaseStore store_ = CaseStore::open(folder_.path() / "campaign.sqlite").value();
};

TEST_F(DistinctCauses, AreCountedOnceOverAllModelsThoseOfMostModelsFirst) {
  finish("a", OutcomeStatus::fault, report(fault("one", "s")));
  finish("b", OutcomeStatus::fault, report(fault("two", "s") + "," + fault("one", "s")));
  finish("c", OutcomeStatus::fault, report(fault("two", "s")));
  finish("d", OutcomeStatus::fault, report(fault("two", "s")));
  finish("e", OutcomeStatus::ok, report(""));
  const CampaignRecord all = record();
  ASSERT_EQ(all.faults.size(), 2U);
  EXPECT_THAT(all.faults[0].first.key.culprits, ElementsAre("two"));
  EXPECT_THAT(all.faults[0].models, ElementsAre("b", "c", "d"));
  EXPECT_EQ(all.faults[0].first.place, "y");
  EXPECT_THAT(all.faults[1].models, ElementsAre("a", "b"));
  EXPECT_EQ(all.models, 5U);
  EXPECT_EQ(all.models_at_fault, 4U);
  for (const CaseRecord& shown : all.cases) {
    if (shown.order.model == "b") {
      EXPECT_THAT(shown.faults, UnorderedElementsAre(0, 1));
    } else if (shown.order.model == "e") {
      EXPECT_THAT(shown.faults, IsEmpty());
    }
  }
}

TEST_F(DistinctCauses, DifferBySignatureAndByTheReducedModel) {
  finish("a", OutcomeStatus::fault, report(fault("one", "s", "11")));
  finish("b", OutcomeStatus::fault, report(fault("one", "s", "22")));
  finish("c", OutcomeStatus::fault, report(fault("one", "t")));
  EXPECT_EQ(record().faults.size(), 3U);
}

TEST_F(DistinctCauses, AreThoseOfTheCasesThatAreShown) {
  finish("x/a", OutcomeStatus::fault, report(fault("one", "s")));
  finish("y/b", OutcomeStatus::fault, report(fault("two", "s")));
  RecordFilter filter;
  filter.model = "y/*";
  const CampaignRecord some = record(filter);
  ASSERT_EQ(some.faults.size(), 1U);
  EXPECT_EQ(some.faults[0].first_order.model, "y/b");
  EXPECT_EQ(some.models, 1U);
}

TEST_F(DistinctCauses, AFilterThatNamesNothingIsRefusedWithWhatThereIs) {
  for (const char* model : {"x/a", "x/b", "y/c", "y/d", "y/e", "y/f"}) finish(model, OutcomeStatus::ok, report(""));
  const auto complaint = [&](const RecordFilter& filter) {
    const auto named = expect_named(store_, filter);
    return named ? std::string() : named.error().text();
  };
  RecordFilter filter;
  filter.model = "y/*";
  filter.optimizer = "default";
  filter.job = CampaignJob::check;
  filter.cases.statuses = {OutcomeStatus::fault};
  EXPECT_EQ(complaint(filter), "") << "that none has this status is no mistake";
  EXPECT_EQ(record(filter).cases.size(), 0U);
  filter.model = "z/*";
  EXPECT_EQ(complaint(filter),
            "--model: no case of this campaign has 'z/*'. there are x/a, x/b, y/c, y/d, y/e and 1 more");
  filter = {};
  filter.optimizer = "onnxruntime";
  EXPECT_EQ(complaint(filter), "--optimizer: no case of this campaign has 'onnxruntime'. there are default");
  filter = {};
  filter.job = CampaignJob::profile;
  EXPECT_EQ(expect_named(store_, filter).error().kind, ErrorKind::usage);
}

TEST_F(DistinctCauses, WhyACaseIsNotJudgedIsReadOffItsReport) {
  finish("a", OutcomeStatus::failed, R"({"error": "exit code 2", "last_words": "no such file"})");
  finish("b", OutcomeStatus::inconclusive, R"({"models": [{"error": "", "baseline": {"message": "does not run"}}]})");
  finish("c", OutcomeStatus::inconclusive, R"({"models": [{"error": "cannot be read"}]})");
  finish("d", OutcomeStatus::inconclusive, "[]");
  finish("e", OutcomeStatus::inconclusive, R"({"schema": "culprit.diagnosis/1", "message": "no layer is found"})");
  finish("f", OutcomeStatus::inconclusive, R"({"message": "", "warnings": [{"code": "w", "message": "weak data"}]})");
  std::map<std::string, std::string> reasons;
  for (const CaseRecord& shown : record().cases) reasons[shown.order.model] = shown.reason;
  EXPECT_EQ(reasons, (std::map<std::string, std::string>{{"a", "exit code 2: no such file"},
                                                         {"b", "does not run"},
                                                         {"c", "cannot be read"},
                                                         {"d", ""},
                                                         {"e", "no layer is found"},
                                                         {"f", "weak data"}}));
}

TEST_F(DistinctCauses, OfOtherTolerancesAreThoseThatAreLeft) {
  const auto report_with = [](const std::string& off) {
    return R"({"models": [{"variants": [{"id": "V1", "verdict": "diverged", "measurements":
        {"y": {"errors": {"corners": [[1, )" +
           off + R"(]], "slack": 0}}}}], "faults": [{"id": "F1", "verdict": "diverged", "variants": ["V1"]}]}]})";
  };
  finish("a", OutcomeStatus::fault, report_with("0.1"));
  finish("b", OutcomeStatus::fault, report_with("0.3"));
  RecordFilter filter;
  filter.tolerance = OtherTolerance{0.2, 0};
  const CampaignRecord again = record(filter);
  EXPECT_EQ(again.models_at_fault, 1U);
  ASSERT_TRUE(again.again);
  EXPECT_EQ(again.again->freed, 1);
  EXPECT_EQ(again.again->not_told, 0);
  filter.cases.statuses = {OutcomeStatus::ok};
  ASSERT_EQ(record(filter).cases.size(), 1U);
  EXPECT_EQ(record(filter).cases[0].order.model, "a");
  EXPECT_EQ(record().models_at_fault, 2U);
}

TEST_F(DistinctCauses, OfConversionsAreToldByLayerAndAttribute) {
  CaseOrder order;
  order.job = CampaignJob::diagnose;
  const auto faults = faults_in(order, R"({"faults": [{"class": "hyperparameter", "repro": "repro/F1",
      "target": {"node": {"name": "n2", "type": "MaxPool"}, "tensor": null, "attribute": "pads"},
      "evidence": {"message": "pads is 1, should be 0"}}, {"class": "preprocessing", "target": {"node": null}}]})");
  ASSERT_EQ(faults.size(), 2U);
  EXPECT_THAT(faults[0].key.culprits, ElementsAre("hyperparameter of MaxPool"));
  EXPECT_EQ(faults[0].key.signature, "pads");
  EXPECT_EQ(faults[0].message, "pads is 1, should be 0");
  EXPECT_EQ(faults[0].place, "n2");
  EXPECT_THAT(faults[1].key.culprits, ElementsAre("preprocessing"));
}

TEST_F(DistinctCauses, NothingIsAskedForInACampaignThatHasNoCaseYet) {
  EXPECT_TRUE(expect_named(store_, {}));
  RecordFilter filter;
  filter.model = "a";
  EXPECT_FALSE(expect_named(store_, filter));
}

TEST_F(DistinctCauses, AReportThatIsNoneOfOursHasNoFaults) {
  for (const char* text : {"", "{", "[]", R"({"models": 3})", R"({"models": [3]})", R"({"models": [{"faults": 3}]})"})
    EXPECT_THAT(faults_in(CaseOrder{}, text), IsEmpty()) << text;
  for (const char* text : {R"({"models": [{"faults": [3]}]})", R"({"models": [{"faults": [{"culprits": 3}]}]})"})
    EXPECT_EQ(faults_in(CaseOrder{}, text).size(), 1U) << text;
}

}  // namespace
}  // namespace culprit
