#include "repro/repro_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "repro_samples.h"

namespace culprit {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string complaint(const std::string& text) {
  const auto facts = parse_facts(text, "x/repro.json");
  return facts ? "read" : facts.error().message;
}

TEST(ReproFacts, WhatIsWrittenIsReadBack) {
  const ReproFacts facts = sample_facts();
  const auto read = parse_facts(to_json(facts), "repro.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json([&] {
              ReproFacts same = facts;
              same.measurements = {};  // for people
              return same;
            }()));
  EXPECT_EQ(read->recipe, facts.recipe);
  EXPECT_EQ(read->limits, facts.limits);
  EXPECT_EQ(read->inputs, facts.inputs);
  EXPECT_EQ(read->signature, facts.signature);
}

TEST(ReproFacts, NumbersThatJsonDoesNotHaveSurvive) {
  ReproFacts facts = sample_facts();
  facts.limits["y"].atol = std::numeric_limits<double>::infinity();
  facts.tolerance.rtol = 0.25;
  const auto read = parse_facts(to_json(facts), "repro.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->limits.at("y").atol, std::numeric_limits<double>::infinity());
  EXPECT_EQ(read->tolerance.rtol, 0.25);
  EXPECT_FALSE(read->tolerance.atol.has_value());
}

TEST(ReproFacts, AControlIsAFieldAndWasTheCulpritsNameBefore) {
  ReproFacts facts = sample_facts();
  EXPECT_FALSE(parse_facts(to_json(facts), "repro.json")->control);
  facts.kind = FaultKind::control;
  facts.control = ControlName::import;
  facts.culprits = {"import"};
  EXPECT_EQ(parse_facts(to_json(facts), "repro.json")->control, ControlName::import);
  json older = json::parse(to_json(facts));
  older.erase("control");
  EXPECT_EQ(parse_facts(older.dump(), "repro.json")->control, ControlName::import);
  older["kind"] = "single";
  EXPECT_FALSE(parse_facts(older.dump(), "repro.json")->control) << "a pass may be called import";
}

TEST(ReproFacts, EveryFieldIsAskedFor) {
  const json whole = json::parse(to_json(sample_facts()));
  for (const auto& [key, value] : whole.items()) {
    if (key == "measurements") continue;
    json less = whole;
    less.erase(key);
    EXPECT_EQ(complaint(less.dump()) == "read",
              key == "is_smallest" || key == "control" || key == "packages" || key == "found_signature")
        << key;
    json odd = whole;
    odd[key] = json::array({json::array()});
    EXPECT_NE(complaint(odd.dump()), "read") << key;
  }
}

TEST(ReproFacts, OtherVersionsAndOtherFilesAreRefused) {
  json other = json::parse(to_json(sample_facts()));
  other["schema"] = "culprit.repro/2";
  EXPECT_THAT(complaint(other.dump()), HasSubstr("its schema is 'culprit.repro/2', and this version reads "));
  EXPECT_THAT(complaint("PK"), HasSubstr("is no JSON"));
  EXPECT_THAT(complaint("[]"), HasSubstr("no JSON object"));
}

TEST(ReproFacts, ThoseOfAPairNameWhatRunsThem) {
  const auto facts = parse_facts(R"({"schema": "culprit.pair-repro/1"})", "run/repro/F1/repro.json");
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(facts.error().text(), HasSubstr("python3 run/repro/F1/repro.py"));
}

TEST(ReproFacts, ThreadsAreAsManyAsMayBeAskedFor) {
  json facts = json::parse(to_json(sample_facts()));
  facts["threads"] = 1'000'000'000;
  EXPECT_THAT(complaint(facts.dump()), ::testing::HasSubstr("'threads' are 1000000000"));
  facts["threads"] = 0;
  EXPECT_NE(complaint(facts.dump()), "read");
}

TEST(ReproFacts, FilesAreNamesAndNoPaths) {
  for (const char* name : {"../../etc/passwd", "/etc/passwd", "..", ""}) {
    json whole = json::parse(to_json(sample_facts()));
    whole["inputs"][0]["file"] = name;
    EXPECT_THAT(complaint(whole.dump()), HasSubstr("'file' is no file name")) << name;
  }
}

}  // namespace
}  // namespace culprit
