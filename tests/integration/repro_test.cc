// Repros of faults of the corpus, one of every verdict: repro.py shows them with public packages only, `culprit replay`
// with the built tool, and both see when they are gone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "record/enum_names.h"
#include "support/corpus_case.h"
#include "support/peers.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

struct Shown {
  std::string file, verdict;
};

class Repros : public ::testing::TestWithParam<Shown> {
 protected:
  void SetUp() override { CULPRIT_ONE_OF(2); }
  /// Writes model.onnx of the case, and says how to check it.
  std::vector<std::string> write_case(const std::string& file) {
    const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / file);
    EXPECT_TRUE(read) << read.error().text();
    EXPECT_TRUE(write_corpus_case(*read, folder_.path()));
    return check_arguments(*read, folder_.path());
  }

  /// Checks the case and returns the folder of its one repro.
  fs::path repro_of(const std::string& file) {
    std::vector<std::string> words = write_case(file);
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--run-dir", folder_.path() / "run"});
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    return folder_.path() / "run" / "repro" / "F1";
  }

  static nlohmann::json facts_in(const fs::path& repro) {
    return nlohmann::json::parse(read_file(repro / "repro.json").value());
  }

  /// As if somebody had mended the passes: others are applied.
  static void mend(const fs::path& repro) {
    nlohmann::json facts = facts_in(repro);
    facts["recipe"]["passes"] = {"nop"};
    std::ofstream(repro / "repro.json") << facts;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_P(Repros, ShowTheFaultWhileItIsThere) {
  const fs::path repro = repro_of(GetParam().file);
  ASSERT_TRUE(fs::exists(repro / "repro.json"));
  EXPECT_EQ(facts_in(repro)["verdict"], GetParam().verdict);
  const Ran there = culprit({"replay", repro});
  EXPECT_EQ(there.exit, 1) << there.out << there.err;
  EXPECT_THAT(there.out, HasSubstr("still there (3/3)"));
  const fs::path python = peers_python();
  if (!python.empty()) {
    const auto [status, said] = run_python(python, repro / "repro.py");
    EXPECT_EQ(status, 1) << said;
    EXPECT_THAT(said, HasSubstr("FAULT (" + std::string(reader_word(*verdict_named(GetParam().verdict))) + "): "));
  }
  mend(repro);
  const Ran gone = culprit({"replay", repro});
  EXPECT_EQ(gone.exit, 0) << gone.out << gone.err;
  EXPECT_THAT(gone.out, HasSubstr("gone (3/3)"));
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const auto [status, said] = run_python(python, repro / "repro.py");
  EXPECT_EQ(status, 0) << said;
}

INSTANTIATE_TEST_SUITE_P(All, Repros,
                         ::testing::ValuesIn(thinned<Shown>(
                             {Shown{"faults/pad-axes-into-conv.onnxtxt", "diverged"},
                              Shown{"faults/dropout-mask-retypes-the-input.onnxtxt", "interface_changed"},
                              Shown{"faults/captured-initializers-are-not-lifted.onnxtxt", "optimizer_crashed"},
                              Shown{"faults/growth-of-another-domain-in-a-loop.onnxtxt", "out_of_memory"},
                              Shown{"faults/batchnorm-makes-a-name-that-exists.onnxtxt", "rejected"},
                              Shown{"faults/reshape-of-reshape-with-zero-fails.onnxtxt", "run_failed"},
                              Shown{"faults/counter-of-another-domain-in-a-loop.onnxtxt", "timed_out"},
                              Shown{"deployed/concat-between-pad-and-maxpool.onnxtxt", "diverged"},
                              Shown{"interactions/inlined-branch-uses-a-weight.onnxtxt", "rejected"}},
                             4)),
                         [](const auto& parameter) {
                           std::string name = parameter.param.verdict;
                           if (parameter.param.file.starts_with("deployed")) name += "_deployed";
                           if (parameter.param.file.starts_with("interactions")) name += "_together";
                           return name;
                         });

using ReprosOf = Repros;

TEST_F(ReprosOf, AnEditedModelInWhichNothingIsWrong) {
  const fs::path repro = repro_of("faults/pad-axes-into-conv.onnxtxt");
  fs::copy_file(repro / "variant.onnx", repro / "model.onnx", fs::copy_options::overwrite_existing);
  const Ran gone = culprit({"replay", repro, "--format", "json"});
  EXPECT_EQ(gone.exit, 0) << gone.out << gone.err;
  EXPECT_EQ(nlohmann::json::parse(gone.out)["replays"][0]["state"], "gone");
  const fs::path python = peers_python();
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const auto [status, said] = run_python(python, repro / "repro.py");
  EXPECT_EQ(status, 0) << said;
  EXPECT_THAT(said, HasSubstr("model.onnx itself gives other values here than were recorded"));
}

TEST_F(ReprosOf, AnOptimizerThatLacksThePassTellsNothing) {
  const fs::path python = peers_python();
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const fs::path repro = repro_of("faults/pad-axes-into-conv.onnxtxt");
  const nlohmann::json whole = facts_in(repro);
  for (const auto& [key, value, said] : {std::tuple{"/recipe/passes/0", "fuse_new_pass", "has no pass fuse_new_pass"},
                                         {"/level", "turbo", "none: turbo"}}) {
    nlohmann::json facts = whole;
    facts[nlohmann::json::json_pointer(key)] = value;
    std::ofstream(repro / "repro.json") << facts;
    const auto [status, words] = run_python(python, repro / "repro.py");
    EXPECT_EQ(status, 2) << words;
    EXPECT_THAT(words, HasSubstr(said));
  }
}

TEST_F(ReprosOf, SeveralFoldersGiveTheWorstExitCode) {
  const fs::path repro = repro_of("faults/pad-axes-into-conv.onnxtxt");
  const fs::path mended = folder_.path() / "mended";
  fs::copy(repro, mended, fs::copy_options::recursive);
  mend(mended);
  fs::create_directory(folder_.path() / "empty");
  EXPECT_EQ(culprit({"replay", mended, folder_.path() / "nowhere"}).exit, 2) << "nothing runs";
  const Ran both = culprit({"replay", mended, repro, folder_.path() / "empty"});
  EXPECT_EQ(both.exit, 1) << both.out;
  EXPECT_THAT(both.out, HasSubstr("3 repros: 1 still there, 1 gone, 1 cannot judge"));
  EXPECT_EQ(culprit({"replay", mended, folder_.path() / "empty"}).exit, 3);
}

TEST_F(ReprosOf, WithoutPackagesNothingIsSaid) {
  const fs::path repro = repro_of("faults/pad-axes-into-conv.onnxtxt");
  const auto [status, said] = run_python("/usr/bin/env' -i /usr/bin/python3 -S '-E", repro / "repro.py");
  EXPECT_EQ(status, 2) << said;
  EXPECT_THAT(said, HasSubstr("cannot tell: "));
  EXPECT_THAT(said, HasSubstr("onnxoptimizer"));
}

TEST_F(ReprosOf, NoneAreKeptWhereTheyAreNotWanted) {
  repro_of("faults/pad-axes-into-conv.onnxtxt");
  const std::string model = folder_.path() / "model.onnx";
  EXPECT_EQ(culprit({"check", model, "--no-repro", "--run-dir", folder_.path() / "run"}).exit, 1);
  EXPECT_FALSE(fs::exists(folder_.path() / "run" / "repro")) << "that of the run before goes too";
}

TEST_F(ReprosOf, SeveralModelsHaveFoldersOfTheirOwn) {
  write_case("faults/pad-axes-into-conv.onnxtxt");
  const std::string model = folder_.path() / "model.onnx";
  EXPECT_EQ(culprit({"check", model, model, "--run-dir", folder_.path() / "run"}).exit, 1);
  for (const char* name : {"model", "model-2"})
    EXPECT_TRUE(fs::exists(folder_.path() / "run" / "repro" / name / "F1" / "repro.json")) << name;
}

TEST_F(ReprosOf, KnownFaultsFailNoMore) {
  const fs::path repro = repro_of("faults/pad-axes-into-conv.onnxtxt");
  const std::string model = folder_.path() / "model.onnx", list = folder_.path() / "known.json";
  EXPECT_EQ(culprit({"check", model, "--known", list}).exit, 2) << "there is none yet";
  const Ran added = culprit({"known", "add", repro, "--known", list, "--note", "issue 12"});
  EXPECT_EQ(added.exit, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("added as K-1 in "));
  EXPECT_THAT(culprit({"known", "add", repro, "--known", list}).out, HasSubstr("is already K-1 in "));
  const Ran listed = culprit({"known", "list", "--known", list});
  EXPECT_THAT(listed.out, HasSubstr("K-1: wrong by fuse_pad_into_conv"));
  EXPECT_THAT(listed.out, HasSubstr("issue 12"));

  const Ran known = culprit_check({model, "--known", list});
  EXPECT_EQ(known.exit, 0) << known.out << known.err;
  EXPECT_THAT(known.out, HasSubstr("known       K-1: issue 12\n"));
  EXPECT_THAT(known.out, HasSubstr("1 known fault"));
  EXPECT_EQ(known.report["summary"]["faults"], 0);
  EXPECT_EQ(known.report["summary"]["known_faults"], 1);
  EXPECT_EQ(known.does_not_follow, "");

  write_case("faults/batchnorm-makes-a-name-that-exists.onnxtxt");
  EXPECT_EQ(culprit_check({model, "--known", list}).exit, 1) << "a new one fails";
  std::ofstream(list) << R"({"schema": "culprit.known/9", "faults": []})";
  const Ran refused = culprit({"check", model, "--known", list});
  EXPECT_EQ(refused.exit, 3);
  EXPECT_THAT(refused.err, HasSubstr("its schema is 'culprit.known/9'"));
}

/// The smaller model has other operators around the fault than the model that is checked.
TEST_F(ReprosOf, AFaultOfALargerModelIsKnownInTheFastCheckToo) {
  const std::string model = std::string(CULPRIT_SOURCE) + "/examples/branches.onnx";
  const std::string list = folder_.path() / "known.json", run = folder_.path() / "run";
  EXPECT_EQ(culprit({"check", model, "--run-dir", run}).exit, 1);
  EXPECT_EQ(culprit({"known", "add", run + "/repro/F1", "--known", list}).exit, 0);
  const Ran slow = culprit_check({model, "--known", list});
  EXPECT_EQ(slow.exit, 0) << slow.out;
  EXPECT_EQ(slow.report["models"][0]["outcome"], "known");
  EXPECT_EQ(culprit_check({model, "--known", list, "--no-repro", "--no-localize"}).exit, 0);
  EXPECT_EQ(culprit({"known", "remove", "K-1", "--known", list}).exit, 0);
  EXPECT_EQ(culprit_check({model, "--known", list, "--no-repro", "--no-localize"}).exit, 1);
  EXPECT_EQ(culprit({"known", "remove", "K-1", "--known", list}).exit, 2) << "it is not there any more";
}

TEST_F(ReprosOf, WrongValuesComeWithTheRunsTheyAreAttributedBy) {
  write_case("faults/pad-axes-into-conv.onnxtxt");
  const std::string model = folder_.path() / "model.onnx";
  const auto outcomes = [](const Ran& ran) {
    std::vector<std::string> words;
    for (const auto& cell : ran.report["models"][0]["faults"][0]["attribution_evidence"])
      words.push_back(cell["model"].get<std::string>() + " " + cell["outcome"].get<std::string>());
    return words;
  };
  const std::vector<std::string> pair{"original agrees", "variant differs"};
  std::vector<std::string> expected = pair;
  expected.insert(expected.end(), pair.begin(), pair.end());
  const Ran four = culprit_check({model});
  EXPECT_EQ(outcomes(four), expected) << four.out;
  EXPECT_EQ(four.report["models"][0]["faults"][0]["attribution"], "optimizer");
  EXPECT_THAT(four.out, HasSubstr("evidence    without ONNX Runtime's optimizations (off): variant differs;"));
  const Ran six = culprit_check({model, "--second-runtime", "1.22.1"});
  if (six.exit == 2) GTEST_SKIP() << "no ONNX Runtime 1.22.1: scripts/setup runtime 1.22.1";
  expected.insert(expected.end(), pair.begin(), pair.end());
  EXPECT_EQ(outcomes(six), expected) << six.out;
  EXPECT_EQ(six.report["models"][0]["faults"][0]["attribution_evidence"][5]["version"], "1.22.1");
  EXPECT_EQ(six.report["models"][0]["faults"][0]["attribution"], "optimizer");
}

}  // namespace
}  // namespace culprit::testing
