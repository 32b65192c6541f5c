// What is written of a profile as JSON, and what is read back: the schema, every field, and files that lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "golden.h"
#include "record/report_schema.h"
#include "report/json.h"
#include "report/profile_json.h"
#include "sample_profiles.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

/// tests/schema/validate.py with Debian's python3-jsonschema; its exit status.
int validate_profile(const std::string& text) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "culprit_profile_json_test.json";
  std::ofstream(path) << text;
  const auto root = std::filesystem::weakly_canonical(CULPRIT_SOURCE);
  const int status = std::system(("/usr/bin/python3 '" + (root / "tests/schema/validate.py").string() + "' '" +
                                  (root / "docs/profile.schema.json").string() + "' '" + path.string() + "'")
                                     .c_str());
  std::filesystem::remove(path);
  return status;
}

std::string edited(const std::function<void(json&)>& edit) {
  json root = json::parse(to_json(levels_profile()));
  edit(root);
  return root.dump();
}

std::string refused(const std::string& text) {
  const auto read = read_profile(text, "kept.json");
  if (read) return "it was read";
  EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(read.error().message, HasSubstr("kept.json is no ")) << "names the file";
  EXPECT_EQ(read.error().hint, "give a report.json that culprit profile wrote");
  return read.error().message;
}

std::string refused_when(const std::function<void(json&)>& edit) { return refused(edited(edit)); }

TEST(ProfileJson, IsAsItWas) { expect_golden("profile_levels.json", to_json(levels_profile())); }

TEST(ProfileJson, WhatWasNotMeasuredWithoutTheStepsHasNoVerdict) {
  ProfileReport report = levels_profile();
  report.blames[0].without = {};
  report.blames[0].without_verdict.reset();
  const std::string text = to_json(report);
  EXPECT_TRUE(json::parse(text)["blames"][0]["without_verdict"].is_null());
  EXPECT_EQ(validate_profile(text), 0);
  const auto read = read_profile(text, "kept.json");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->blames, report.blames);
}

TEST(ProfileJson, FollowsItsSchema) {
  for (const ProfileReport& report :
       {levels_profile(), single_profile(), hostile_profile(), crowded_profile(), empty_profile(), timed_profile()})
    EXPECT_EQ(validate_profile(to_json(report)), 0);
  EXPECT_NE(validate_profile(edited([](json& root) { root["entries"][1]["seconds"].erase("median"); })), 0);
  EXPECT_NE(validate_profile(edited([](json& root) { root["entries"][1]["verdict"] = "quick"; })), 0);
  EXPECT_NE(validate_profile(edited([](json& root) { root["entries"][1]["mood"] = "good"; })), 0);
}

TEST(ProfileJson, IsAReportOfOurs) {
  EXPECT_TRUE(is_report(to_json(levels_profile())));
  EXPECT_FALSE(is_report(edited([](json& root) { root["schema"] = "culprit.profile/2"; })));
}

TEST(ProfileJson, WhatWasNotMeasuredIsNull) {
  const json entry = json::parse(to_json(levels_profile()))["entries"][2];
  EXPECT_EQ(entry["verdict"], "failed");
  for (const char* key : {"seconds", "ratio", "load", "optimizing", "throughput", "memory", "node_times", "quality",
                          "latency", "first_run"})
    EXPECT_TRUE(entry[key].is_null()) << key;
  EXPECT_EQ(entry["nodes"], 85) << "what was measured before it failed stands";
  const json single = json::parse(to_json(single_profile()))["entries"][0];
  EXPECT_TRUE(single["nodes"].is_null());
  EXPECT_TRUE(single["graph"].is_null());
}

TEST(ProfileJson, ARowThatNobodyTimedHasNoVerdict) {
  ProfileReport report = levels_profile();
  report.entries[1].verdict = SpeedVerdict::not_measured;
  report.entries[1].ratio = {};
  report.entries[1].block_ratios = {};
  const std::string text = to_json(report);
  EXPECT_TRUE(json::parse(text)["entries"][1]["verdict"].is_null());
  EXPECT_EQ(validate_profile(text), 0);
  const auto back = read_profile(text, "kept.json");
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(back->entries[1].verdict, SpeedVerdict::not_measured);
}

TEST(ProfileJson, ComesBackAsItWas) {
  for (const ProfileReport& report : {levels_profile(), single_profile(), empty_profile(), crowded_profile()}) {
    const auto read = read_profile(to_json(report), "kept.json");
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(to_json(*read), to_json(report));
  }
  const ProfileReport levels = levels_profile();
  const auto read = read_profile(to_json(levels), "kept.json").value();
  EXPECT_TRUE(read.entries == levels.entries) << "a field is written and not read, or not written at all";
  EXPECT_TRUE(read.blames == levels.blames);
  EXPECT_TRUE(read.warnings == levels.warnings);
  EXPECT_TRUE(read.limits == levels.limits);
  EXPECT_EQ(read.environment.cpu, levels.environment.cpu);
  EXPECT_EQ(read.environment.optimizer.steps, levels.environment.optimizer.steps);
}

TEST(ProfileJson, ASweepComesBack) {
  const ProfileReport timed = timed_profile();
  const auto read = read_profile(to_json(timed), "kept.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(read->sweep == timed.sweep);
  EXPECT_EQ(to_json(*read), to_json(timed));
  EXPECT_TRUE(json::parse(to_json(levels_profile()))["sweep"].is_null());
  EXPECT_THAT(refused_when([](json& root) { root["sweep"] = {{"batches", {1}}}; }), HasSubstr("has no 'threads'"));
}

TEST(ProfileJson, NamesComeBackWhateverIsInThem) {
  const auto read = read_profile(to_json(hostile_profile()), "kept.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(read->entries == hostile_profile().entries);
}

TEST(ProfileJson, WhatIsNoNumberComesBack) {
  const auto read = read_profile(to_json(crowded_profile()), "kept.json").value();
  EXPECT_TRUE(std::isnan(read.entries[3].ratio.value));
  EXPECT_TRUE(std::isinf(read.entries[4].ratio.high));
  EXPECT_EQ(read.entries[19].baseline, 10U);
  EXPECT_EQ(read.entries[9].memory->run_peak, std::numeric_limits<std::int64_t>::max());
}

TEST(ProfileJson, FieldsOfLaterVersionsAreLeftAlone) {
  EXPECT_TRUE(read_profile(edited([](json& root) { root["entries"][0]["mood"] = {{"x", 1}}; }), "kept.json"));
}

TEST(ProfileJson, FieldsThatEarlierVersionsLackMayBeMissing) {
  const auto read = read_profile(edited([](json& root) {
                                   root["entries"][0].erase("batch");
                                   root["entries"][0].erase("latency");
                                   root["entries"][0].erase("first_run");
                                   root["entries"][0]["node_times"].erase("left_out_seconds");
                                   root.erase("limits");
                                   root["entries"][0]["node_times"]["nodes"][0].erase("baseline_seconds");
                                 }),
                                 "kept.json");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->entries[0].batch, std::nullopt);
  EXPECT_EQ(read->entries[0].latency, std::nullopt);
  EXPECT_EQ(read->entries[0].first_run, TimeRecord());
}

/// With a reader whose time grows with the square of the keys this test does not come to its end.
TEST(ProfileJson, ManyKeysAreLookedThrough) {
  std::string text = "{";
  for (int i = 0; i < 400'000; ++i) text += "\"a key of a foreign file " + std::to_string(i) + "\":0,";
  EXPECT_FALSE(is_report(text + R"("schema":"none"})"));
  EXPECT_TRUE(is_report(text + R"("schema":"culprit.profile/1"})"));
}

TEST(ProfileJson, OtherFilesAreRefusedWithWords) {
  EXPECT_EQ(refused(""), "kept.json is no JSON (0 B)");
  EXPECT_EQ(refused("{\"schema\": "), "kept.json is no JSON (11 B)");
  EXPECT_EQ(refused("[]"), "kept.json is no profile: it is a list, and must be an object");
  EXPECT_EQ(refused("{}"), "kept.json is no profile: it has no 'schema'");
  EXPECT_EQ(refused("{\"schema\": \"culprit.eval/1\"}"),
            "kept.json is no profile: it has the schema 'culprit.eval/1', which is another kind of report");
  EXPECT_EQ(refused("{\"schema\": \"culprit.profile/2\"}"),
            "kept.json is no profile: it was written by a newer culprit (schema 'culprit.profile/2'; this one reads "
            "'culprit.profile/1')");
  EXPECT_THAT(refused("{\"schema\": \"culprit.profile/0\"}"), HasSubstr("there is no such version"));
  EXPECT_THAT(refused("{\"schema\": \"culprit.profile/\x1b[1m\"}"), Not(HasSubstr("\x1b")));
}

TEST(ProfileJson, ThePlaceOfWhatIsWrongIsNamed) {
  EXPECT_THAT(refused_when([](json& root) { root["entries"][3]["seconds"].erase("median"); }),
              HasSubstr("its 'entries[3].seconds' has no 'median'"));
  EXPECT_THAT(refused_when([](json& root) { root["entries"][3]["seconds"]["median"] = "fast"; }),
              HasSubstr("its 'entries[3].seconds.median' is the text \"fast\", and must be a number"));
  EXPECT_THAT(refused_when([](json& root) { root["entries"][3]["verdict"] = "quick"; }),
              HasSubstr("its 'entries[3].verdict' is 'quick', which is no verdict"));
  EXPECT_THAT(refused_when([](json& root) { root["entries"][0]["nodes"] = -1; }),
              HasSubstr("its 'entries[0].nodes' is -1, and must be a whole number that is not negative"));
  EXPECT_THAT(refused_when([](json& root) { root["blocks"] = 1e300; }), HasSubstr("must be a whole number"));
  EXPECT_THAT(refused_when([](json& root) { root["blocks"] = 18446744073709551615ULL; }),
              HasSubstr("must be a whole number"));
  EXPECT_THAT(refused_when([](json& root) { root["baseline"] = 5; }),
              HasSubstr("its 'baseline' is 5, and there are 5 entries"));
  EXPECT_THAT(refused_when([](json& root) { root["interrupted"] = 1; }), HasSubstr("must be true or false"));
  EXPECT_THAT(refused_when([](json& root) { root["entries"] = 7; }),
              HasSubstr("its 'entries' is 7, and must be a list"));
}

TEST(ProfileJson, NoBytesCrashTheReader) {
  EXPECT_THAT(refused(std::string(200'000, '[')), HasSubstr("is no JSON"));
  EXPECT_THAT(refused(std::string(100'000, '[') + std::string(100'000, ']')), HasSubstr("must be an object"));
  const std::string text = to_json(levels_profile());
  for (std::size_t at = 0; at < text.rfind('}'); at += 97) {
    std::string cut = text.substr(0, at), changed = text;
    changed[at] = changed[at] == '1' ? '"' : '1';
    EXPECT_FALSE(read_profile(cut, "kept.json")) << at;
    (void)read_profile(changed, "kept.json");
  }
}

void add_leaves(const json& value, const json::json_pointer& at, std::vector<json::json_pointer>& leaves) {
  if (value.is_object())
    for (const auto& [key, item] : value.items()) add_leaves(item, at / key, leaves);
  else if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i) add_leaves(value[i], at / i, leaves);
  else
    leaves.push_back(at);
}

TEST(ProfileJson, EveryFieldIsRead) {
  const json whole = json::parse(to_json(levels_profile()));
  std::vector<json::json_pointer> leaves;
  add_leaves(whole, json::json_pointer(), leaves);
  EXPECT_GT(leaves.size(), 400U);
  for (const auto& leaf : leaves) {
    if (leaf == json::json_pointer("/tool/name")) continue;
    json other = whole;
    other[leaf] = json::array({json::array()});  // this stands nowhere
    EXPECT_FALSE(read_profile(other.dump(), "kept.json")) << leaf;
  }
}

}  // namespace
}  // namespace culprit
