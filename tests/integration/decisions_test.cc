// Decisions in the verdict of `check`: a fault that few samples of a large data set show, and rounding that turns
// labels over as well.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <cstdlib>

#include "base/random.h"
#include "support/tool.h"
#include "tensor/npy.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The scores of the three classes are the first three numbers of x, but for what a step of the program makes of them.
constexpr const char* three_scores = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1,4] x) => (float[1,3] scores)
  <float[4,3] w = {1,0,0, 0,1,0, 0,0,1, 0,0,0}> { scores = MatMul(x, w) })";

using Row = std::vector<float>;

class Decisions : public ::testing::Test {
 protected:
  Decisions() {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, three_scores).IsOK());
    EXPECT_TRUE(write_file_atomic(model_, model.SerializeAsString()));
  }

  /// Of three steps one multiplies the first class's score, or each of those that `faults` names.
  std::string program(const std::string& factor, const std::string& faults = "step_1") {
    const fs::path path = folder_.path() / "mine.yaml";
    EXPECT_TRUE(write_file_atomic(path, "name: planted\ncommand: ['" CULPRIT_TEST_PROGRAM
                                        "', '{input}', '{output}', --faults, '" +
                                            faults + "', --by, '" + factor +
                                            "', '{choice}']\nsteps:\n  - list: ['" CULPRIT_TEST_PROGRAM
                                            "', --list, '3']\n    skip: [--skip, '{steps}']\n"));
    return path.string();
  }

  std::string data(const std::vector<Row>& rows) {
    std::vector<float> all;
    for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
    const fs::path path = folder_.path() / "x.npy";
    EXPECT_TRUE(write_npy(path, Tensor::of<float>({static_cast<std::int64_t>(rows.size()), 4}, all)));
    return path.string();
  }

  Ran check(const std::string& optimizer, const std::string& data, std::vector<std::string> more = {}) {
    std::vector<std::string> words{model_.string(), "--optimizer", optimizer, "--data", data};
    words.insert(words.end(), more.begin(), more.end());
    return culprit_check(words);
  }

  static const json& bundle(const Ran& ran) {
    for (const json& variant : ran.report["models"][0]["variants"])
      if (variant["is_bundle"] == true) return variant;
    throw std::runtime_error("no bundle: " + ran.err);
  }

  TemporaryFolder folder_ = scratch();
  fs::path model_ = folder_.path() / "model.onnx";
};

/// Whose two best scores are far apart.
std::vector<Row> plain_rows(std::size_t count) {
  Random random(3);
  std::vector<Row> rows;
  while (rows.size() < count) {
    Row row;
    for (int i = 0; i < 4; ++i) row.push_back(static_cast<float>(random.normal()));
    Row best(row.begin(), row.begin() + 3);
    std::ranges::sort(best);
    if (best[2] - best[1] > 0.1f) rows.push_back(row);
  }
  return rows;
}

TEST_F(Decisions, AFaultThatThreeOfSixHundredSamplesShow) {
  std::vector<Row> rows = plain_rows(600);
  for (const std::size_t at : {77, 234, 501}) rows[at] = {1, 0.9999f, -1, 0};
  const std::string file = data(rows);
  const Ran ran = check(program("0.9995"), file);
  ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const json& model = ran.report["models"][0];
  ASSERT_EQ(model["faults"].size(), 1) << ran.out;
  EXPECT_THAT(model["faults"][0]["culprits"], ElementsAre("step_1"));
  EXPECT_THAT(model["faults"][0]["message"].get<std::string>(), HasSubstr("gives another prediction for 'x.npy #77'"));
  EXPECT_THAT(model["faults"][0]["message"].get<std::string>(), HasSubstr("label 0 became label 1"));
  const json& decisions = bundle(ran)["decisions"];
  EXPECT_EQ(decisions["task"], "classification");
  EXPECT_EQ(decisions["samples"], 600);
  ASSERT_EQ(decisions["changed"], 3);
  EXPECT_EQ(decisions["ties"], 0);
  EXPECT_EQ(decisions["worst"][0]["sample"], "x.npy #77");
  EXPECT_FALSE(model["safe_recipe"]["verified"].is_null());
  const auto is_safe = [](const json& variant) {
    return variant["recipe"]["passes"] == json({"step_0", "step_2"}) && !variant["decisions"].is_null();
  };
  EXPECT_EQ(std::ranges::count_if(model["variants"], is_safe), 0)
      << "without the step it is the original, which nobody runs again";

  const Ran numbers = check(program("0.9995"), file, {"--task", "tensor"});
  EXPECT_EQ(numbers.exit, 0) << "in numbers it is within the tolerance\n" << numbers.out;
  EXPECT_EQ(bundle(numbers)["verdict"], "deviates");
}

TEST_F(Decisions, AnotherDecisionAloneIsNotReducedAndSaysWhy) {
  std::vector<Row> rows = plain_rows(60);
  rows[17] = {1, 0.9999f, -1, 0};
  const std::string run = (folder_.path() / "run").string();
  const Ran ran =
      culprit({"check", model_.string(), "--optimizer", program("0.9995"), "--data", data(rows), "--run-dir", run});
  ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("not reduced: only what is decided differs"));
  const json fault = json::parse(read_file(run + "/report.json").value())["models"][0]["faults"][0];
  EXPECT_EQ(fault["repro"], "repro/F1") << "with the whole model";
  EXPECT_EQ(fault["reduced"]["nodes"], 0);
}

/// Both steps together change many samples, one of them alone a single one, which is not among those that are looked at
/// first. What is handed back keeps that one, too.
TEST_F(Decisions, WhatIsHandedBackKeepsAllDecisions) {
  std::vector<Row> rows = plain_rows(300);
  for (std::size_t at = 20; at < 40; ++at) rows[at] = {1, 0.9993f, -1, 0};
  rows[290] = {1, 0.9997f, -1, 0};
  const std::string out = (folder_.path() / "out.onnx").string(), run = (folder_.path() / "run").string();
  const Ran ran = culprit({"optimize", model_.string(), "-o", out, "--optimizer", program("0.9995", "step_0,step_1"),
                           "--data", data(rows), "--run-dir", run});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const json safe = json::parse(read_file(run + "/report.json").value())["models"][0]["safe_recipe"];
  EXPECT_TRUE(safe["verified"].is_object()) << safe.dump(1);
  EXPECT_EQ(safe["left_out"].size(), 2U) << safe.dump(1);
  const Ran again = culprit({"eval", model_.string(), out, "--data", data(rows), "--run-dir", run + "-eval"});
  EXPECT_THAT(again.out, HasSubstr("other predictions than M1 on 0 of 300 samples"));
}

/// Of 40 rows every fourth is judged by its numbers: the 20th is among them, the 21st joins them.
TEST_F(Decisions, ASampleThatIsJudgedAlreadyDoesNotJoinAgain) {
  std::vector<Row> rows = plain_rows(40);
  rows[20] = {1, 0.9999f, -1, 0};
  rows[21] = {1, 0.9998f, -1, 0};
  const json few = check(program("0.9995"), data(rows)).report["models"][0];
  EXPECT_EQ(few["data"]["samples"], 11) << few["data"];
  EXPECT_THAT(few["data"]["choices"].dump(), HasSubstr("x.npy #21"));
  EXPECT_THAT(few["data"]["choices"].dump(), Not(HasSubstr("x.npy #20")));

  const std::string six = data({rows.begin() + 16, rows.begin() + 22});
  const json decided = check(program("0.9995"), six).report["models"][0];
  EXPECT_EQ(decided["data"]["samples"], 6) << decided["data"];
  EXPECT_THAT(decided["faults"][0]["message"].get<std::string>(), HasSubstr("another prediction for 'x.npy #4'"));
  const json wrong = check(program("0.5"), six).report["models"][0];
  EXPECT_THAT(wrong["faults"][0]["message"].get<std::string>(), HasSubstr("on 6 of 6 samples"));
}

/// A file that anybody made, held against the model.
TEST_F(Decisions, AFileIsHeldAgainstAllOfTheDataAsWell) {
  onnx::ModelProto other;
  std::string text = three_scores;
  text.replace(text.find("{1,0,0,"), 7, "{0.9995,0,0,");
  ASSERT_TRUE(onnx::OnnxParser::Parse(other, text.c_str()).IsOK());
  const fs::path file = folder_.path() / "other.onnx";
  ASSERT_TRUE(write_file_atomic(file, other.SerializeAsString()));
  std::vector<Row> rows = plain_rows(300);
  for (const std::size_t at : {77, 134}) rows[at] = {1, 0.9999f, -1, 0};
  const std::string all = data(rows), run = (folder_.path() / "run").string();

  const Ran judged =
      culprit({"localize", model_.string(), "--variant", file.string(), "--data", all, "--run-dir", run});
  EXPECT_EQ(judged.exit, 1) << judged.out << judged.err;
  EXPECT_THAT(judged.out, HasSubstr("2 of 300 predictions"));
  EXPECT_THAT(judged.out, HasSubstr("label 0 became label 1"));

  const Ran compared = culprit({"compare", model_.string(), file.string(), "--data", all, "--run-dir", run});
  EXPECT_THAT(compared.out, HasSubstr("2 of 300 predictions"));
  EXPECT_THAT(compared.out, HasSubstr("other_decisions"));
  EXPECT_EQ(compared.exit, 1) << "though all numbers are within the tolerance";
  EXPECT_THAT(compared.out, HasSubstr("MISMATCH"));
  EXPECT_THAT(compared.out, HasSubstr("it gives another prediction for 'x.npy #77': label 0"));
  const std::string report = run + "/report.json", source = CULPRIT_SOURCE;
  const json written = json::parse(read_file(report).value());
  EXPECT_EQ(written["verdict"], "diverged");
  EXPECT_EQ(written["status"], "part");
  EXPECT_EQ(std::system(("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                         "/docs/compare.schema.json' '" + report + "'")
                            .c_str()),
            0);
}

/// The last number of x counts in B alone, and is 0 but in a row that is not among the first that are compared.
TEST_F(Decisions, ARowThatIsDecidedOtherwiseIsLookedIntoAsWell) {
  onnx::ModelProto other;
  std::string text = three_scores;
  text.replace(text.find("0,0,1, 0,0,0}"), 13, "0,0,1, 0,0,1}");
  ASSERT_TRUE(onnx::OnnxParser::Parse(other, text.c_str()).IsOK());
  const fs::path file = folder_.path() / "other.onnx";
  ASSERT_TRUE(write_file_atomic(file, other.SerializeAsString()));
  std::vector<Row> rows = plain_rows(60);
  for (Row& row : rows) row[3] = 0;
  rows[17] = {1, 0.5f, -1, 9};
  const std::string run = (folder_.path() / "run").string();
  const Ran ran = culprit({"compare", model_.string(), file.string(), "--data", data(rows), "--run-dir", run});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("first mismatch at 'scores'"));
  EXPECT_THAT(ran.out, HasSubstr("one more of the data set, because it shows a difference: x.npy #17"));
  const json report = json::parse(read_file(run + "/report.json").value());
  EXPECT_EQ(report["data"]["samples"], 11);
  EXPECT_TRUE(report["first_divergence"].is_object()) << report["first_divergence"];
}

TEST_F(Decisions, TiesAreNoReasonForTwoModelsToPart) {
  std::string text = three_scores;
  text.replace(text.find("{1,0,0,"), 7, "{0.9999998,0,0,");
  onnx::ModelProto other;
  ASSERT_TRUE(onnx::OnnxParser::Parse(other, text.c_str()).IsOK());
  const fs::path file = folder_.path() / "other.onnx";
  ASSERT_TRUE(write_file_atomic(file, other.SerializeAsString()));
  std::vector<Row> rows = plain_rows(100);
  for (const std::size_t at : {33, 57, 71}) rows[at] = {1, 0.99999994f, -1, 0};
  const Ran ran = culprit({"compare", model_.string(), file.string(), "--data", data(rows), "--run-dir",
                           (folder_.path() / "run").string()});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("3 of 100 predictions"));
}

/// Of three classes, 0 to 2, the labels name a fourth.
TEST_F(Decisions, LabelsThatAreNoClassAreWarnedOf) {
  data(plain_rows(20));
  std::vector<std::int64_t> labels(20, 1);
  labels[3] = labels[4] = 3;
  ASSERT_TRUE(write_npy(folder_.path() / "y.npy", Tensor::of<std::int64_t>({20}, labels)));
  const std::string zip = "cd '" + folder_.path().string() +
                          "' && python3 -c \"import zipfile; z = zipfile.ZipFile('s.npz', 'w'); z.write('x.npy'); "
                          "z.write('y.npy')\"";
  ASSERT_EQ(std::system(zip.c_str()), 0);
  const std::string all = (folder_.path() / "s.npz").string(), run = (folder_.path() / "run").string();
  const std::string said = "2 of 20 labels are 3 or more, and the outputs have 3 classes";
  const auto is_said_once = [&](const json& warnings) {
    return std::ranges::count_if(warnings, [&](const json& warning) {
             return warning["code"] == "labels_outside" &&
                    warning["message"].get<std::string>().find(said) != std::string::npos;
           }) == 1;
  };
  const Ran checked = check(program("0.9999"), all);
  EXPECT_TRUE(is_said_once(checked.report["models"][0]["warnings"])) << checked.out << checked.err;
  for (const auto& words : {std::vector<std::string>{"compare", model_.string(), model_.string()},
                            {"eval", model_.string(), model_.string(), "--task", "classification"}}) {
    std::vector<std::string> all_words = words;
    all_words.insert(all_words.end(), {"--data", all, "--run-dir", run + words[0]});
    const Ran ran = culprit(all_words);
    const json report = json::parse(read_file(run + words[0] + "/report.json").value());
    EXPECT_TRUE(is_said_once(report["warnings"])) << ran.out << ran.err;
  }
}

TEST_F(Decisions, ATieIsNobodysFault) {
  std::vector<Row> rows = plain_rows(100);
  for (const std::size_t at : {33, 57, 71}) rows[at] = {1, 0.99999994f, -1, 0};
  const Ran ran = check(program("0.9999998"), data(rows));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  EXPECT_EQ(bundle(ran)["decisions"]["changed"], 3);
  EXPECT_EQ(bundle(ran)["decisions"]["ties"], 3);
}

/// Rows on which the second class is ahead of the first by less than `least`, or behind it.
std::vector<Row> near_ties(std::size_t count, double least, double most) {
  Random random(5);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back({1, static_cast<float>(1 + least + (most - least) * random.uniform()), -1, 0});
  return rows;
}

TEST_F(Decisions, WhereRoundingChangesAsManyNothingIsAtFault) {
  const Ran ran = check(program("0.9999999"), data(near_ties(400, -4e-7, 4e-7)));
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const json& decisions = bundle(ran)["decisions"];
  EXPECT_GT(decisions["changed"], 64) << "more than are drawn one by one";
  EXPECT_GT(decisions["changed_by_draw"], 64);
  EXPECT_FALSE(decisions["more_than_rounding"]);
}

TEST_F(Decisions, SignificantlyMoreThanRoundingIsAFault) {
  const Ran ran = check(program("0.999999"), data(near_ties(400, -1e-6, 0)));
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const json& decisions = bundle(ran)["decisions"];
  EXPECT_TRUE(decisions["more_than_rounding"]) << decisions;
  EXPECT_LT(decisions["changed_by_draw"], decisions["changed"]);
  EXPECT_THAT(ran.report["models"][0]["faults"][0]["culprits"], ElementsAre("step_1"));
}

TEST_F(Decisions, ATaskThatDoesNotFitIsSaidAndCostsNoVerdict) {
  const Ran ran = check(program("1.5"), data(plain_rows(50)), {"--task", "detection"});
  EXPECT_EQ(ran.exit, 1) << "the numbers are wrong";
  EXPECT_THAT(ran.out, HasSubstr("decisions_not_judged"));
  EXPECT_TRUE(bundle(ran)["decisions"].is_null());
}

}  // namespace
}  // namespace culprit::testing
