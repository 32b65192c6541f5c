#include "repro/known_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "repro_samples.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

FaultRecord fault(const std::string& signature, const std::string& fingerprint = "") {
  FaultRecord made;
  made.culprits = {"a"};
  made.signature = signature;
  made.reduced_fingerprint = fingerprint;
  return made;
}

class Known : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path file() const { return folder_.path() / "known.json"; }

  std::string complaint(const std::string& text) const {
    std::ofstream(file()) << text;
    const auto known = read_known(file());
    return known ? "read" : known.error().message;
  }

  /// A list with one entry in which one thing is replaced.
  std::string complaint_with(const std::string& what, const std::string& by) const {
    std::string text =
        R"({"schema": "culprit.known/1", "faults": [{"id": "K-1", "culprits": ["a"], "verdict": "diverged",
      "signature": "s", "fingerprint": null, "note": "n", "source": "net.onnx"}]})";
    if (const auto at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
    return complaint(text);
  }

  const std::string one_ = std::string(31, '0') + "1", two_ = std::string(31, '0') + "2";

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-known-").value();
};

TEST_F(Known, TheSamePassesVerdictAndSignatureAreTheSameFault) {
  const FaultKey key = key_of(fault("s"));
  EXPECT_TRUE(is_same(key, key));
  EXPECT_FALSE(is_same(key, key_of(fault("t"))));
  FaultKey other = key;
  other.culprits = {"b"};
  EXPECT_FALSE(is_same(key, other));
  other = key;
  other.verdict = Verdict::rejected;
  EXPECT_FALSE(is_same(key, other));
}

/// A smaller model has other operators around the fault: what a check says of the whole model is its signature.
TEST_F(Known, AReproIsKnownByWhatTheCheckSaid) {
  ReproFacts facts;
  facts.culprits = {"a"};
  facts.signature = "of the small model";
  facts.found_signature = "of the model";
  EXPECT_EQ(key_of(facts).signature, "of the model");
  EXPECT_TRUE(is_same(key_of(facts), key_of(fault("of the model"))));
}

TEST_F(Known, ReducedModelsTellCausesApartWhereBothHaveOne) {
  EXPECT_FALSE(is_same(key_of(fault("s", one_)), key_of(fault("s", two_))));
  EXPECT_TRUE(is_same(key_of(fault("s", one_)), key_of(fault("s", one_))));
  EXPECT_TRUE(is_same(key_of(fault("s", one_)), key_of(fault("s"))));
  ReproFacts facts = sample_facts();
  EXPECT_EQ(key_of(facts).fingerprint, "") << "of a model that was not reduced";
  facts.is_reduced = true;
  EXPECT_EQ(key_of(facts).fingerprint, facts.model.fingerprint);
  facts.is_smallest = false;
  EXPECT_EQ(key_of(facts).fingerprint, "") << "with more time it would be another model";
}

TEST_F(Known, AddingTwiceGivesTheNoteAndIdsAreNotUsedAgain) {
  KnownFaults known;
  ReproFacts facts = sample_facts();
  EXPECT_EQ(add_known(known, facts, ""), "K-1");
  EXPECT_EQ(add_known(known, facts, "issue 12"), "K-1");
  EXPECT_EQ(add_known(known, facts, ""), "K-1");
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].note, "issue 12");
  facts.found_signature += "x";
  EXPECT_EQ(add_known(known, facts, ""), "K-2");
  known.erase(known.begin());
  facts.found_signature += "x";
  EXPECT_EQ(add_known(known, facts, ""), "K-3");
}

TEST_F(Known, WhatIsWrittenIsReadBack) {
  KnownFaults known;
  ReproFacts facts = sample_facts();
  add_known(known, facts, "a \"note\"\n");
  facts.is_reduced = true;
  facts.found_signature += "x";
  add_known(known, facts, "");
  ASSERT_TRUE(write_known(known, file()));
  const auto read = read_known(file());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ((*read)[i].id, known[i].id);
    EXPECT_EQ((*read)[i].note, known[i].note);
    EXPECT_EQ((*read)[i].key.fingerprint, known[i].key.fingerprint);
    EXPECT_TRUE(is_same((*read)[i].key, known[i].key));
  }
}

TEST_F(Known, FaultsOfAReportAreMarked) {
  ModelReport report;
  report.faults = {fault("s"), fault("t")};
  KnownFaults known = {{"K-7", key_of(fault("t")), "issue 12", "net.onnx"}};
  mark_known(report, known);
  EXPECT_FALSE(report.faults[0].known.has_value());
  EXPECT_EQ(report.faults[1].known, (KnownAs{"K-7", "issue 12"}));
}

TEST_F(Known, WhatIsKnownByItsSignatureAloneIsSaidToBe) {
  ModelReport report;
  report.faults = {fault("t"), fault("s")};
  KnownFaults known = {{"K-7", key_of(fault("t")), "", "net.onnx"}};
  known[0].key.fingerprint = "00000000000000000000000000000007";
  report.faults[0].reduced_fingerprint = "";
  mark_known(report, known);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0].code, "known_by_signature");
  EXPECT_THAT(report.warnings[0].message, HasSubstr(" is K-7 by its signature only"));
  report.warnings.clear();
  report.faults[0].reduced_fingerprint = known[0].key.fingerprint;
  mark_known(report, known);
  EXPECT_TRUE(report.faults[0].known);
  EXPECT_TRUE(report.warnings.empty()) << "the same smaller model shows both";
}

TEST_F(Known, WhatIsWrongIsNamed) {
  EXPECT_EQ(complaint_with("nothing", ""), "read");
  EXPECT_EQ(complaint_with("\"K-1\"", "\"F1\"").find("read"), std::string::npos);
  EXPECT_THAT(complaint_with("\"K-1\"", "\"F1\""), HasSubstr("fault 1 has an id that is not like K-1"));
  EXPECT_THAT(complaint_with("[\"a\"]", "[]"), HasSubstr("fault 1 has no list of names 'culprits'"));
  EXPECT_THAT(complaint_with("[\"a\"]", "[1]"), HasSubstr("fault 1 has no list of names 'culprits'"));
  EXPECT_THAT(complaint_with("\"diverged\"", "\"broken\""), HasSubstr("fault 1 has an unknown verdict 'broken'"));
  EXPECT_THAT(complaint_with("\"s\"", "7"), HasSubstr("fault 1 has no text 'signature'"));
  EXPECT_THAT(complaint_with("null", "\"xyz\""), HasSubstr("'fingerprint' that is not of 32 hex digits"));
  EXPECT_THAT(complaint_with("known/1", "known/2"),
              HasSubstr("its schema is 'culprit.known/2', and this version reads"));
  EXPECT_THAT(complaint_with("{\"id\"", "7, {\"id\""), HasSubstr("fault 1 is no object"));
  EXPECT_THAT(complaint_with("\"faults\"", "\"fault\""), HasSubstr("no list 'faults'"));
  EXPECT_THAT(complaint("PK"), HasSubstr("no JSON object"));
  EXPECT_THAT(complaint(R"({"schema": ["x"], "faults": []})"), HasSubstr("no JSON object with a 'schema'"));
  EXPECT_EQ(read_known(file().parent_path() / "nowhere").error().kind, ErrorKind::not_found);
}

TEST_F(Known, TwoOfOneIdAreRefused) {
  KnownFaults known;
  add_known(known, sample_facts(), "");
  known.push_back(known[0]);
  ASSERT_TRUE(write_known(known, file()));
  EXPECT_THAT(read_known(file()).error().message, HasSubstr("fault 2 has the id of another one, K-1"));
}

}  // namespace
}  // namespace culprit
