#include "app/run_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* a_report = R"({"schema": "culprit.report/1"})";

class RunFolders : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    fs::current_path(place_.path());
  }
  void TearDown() override { fs::current_path(before_); }

  static std::set<std::string> entries(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) names.insert(fs::relative(entry.path(), folder));
    return names;
  }
  static void write(const fs::path& path, const std::string& text = "x") {
    fs::create_directories(fs::absolute(path).parent_path());
    std::ofstream(path) << text;
  }
  static std::string content(const fs::path& path) { return *read_file(path); }
  static VariantRecord variant(const std::string& id, const std::string& pass, Verdict verdict,
                               const std::string& file) {
    VariantRecord v;
    v.id = id;
    v.recipe.passes = {pass};
    v.verdict = verdict;
    v.file = file;
    return v;
  }

  TemporaryFolder place_ = *TemporaryFolder::create(fs::temp_directory_path(), "culprit-run-folder-");
  fs::path before_;
  const std::string ours_ = a_report;
};

TEST_F(RunFolders, ANewOneIsNamedByTimeAndHoldsTheReport) {
  auto folder = RunFolder::create("");
  ASSERT_TRUE(folder) << folder.error().text();
  EXPECT_THAT(folder->path().string(), MatchesRegex("\\.culprit/[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}"));
  const fs::path path = folder->path();
  ASSERT_TRUE(folder->finish(ours_));
  { const RunFolder moved = std::move(*folder); }
  EXPECT_THAT(entries(path), ElementsAre("report.json"));
}

TEST_F(RunFolders, AnUnfinishedOneLeavesNothingButLogs) {
  { auto folder = RunFolder::create(""); }
  EXPECT_THAT(entries("."), ElementsAre()) << "not even .culprit";
  { auto folder = RunFolder::create("a/b"); }
  EXPECT_THAT(entries("a"), ElementsAre());
  {
    auto folder = RunFolder::create("c");
    write(folder->logs() / "worker.log");
  }
  EXPECT_THAT(entries("c"), ElementsAre("logs", "logs/worker.log"));
}

TEST_F(RunFolders, TheOneThatWasMovedFromCleansNothingUp) {
  fs::create_directory("logs");  // not ours: it lies in the current folder
  {
    auto folder = RunFolder::create("run");
    const RunFolder moved = std::move(*folder);
  }
  EXPECT_TRUE(fs::exists("logs"));
  EXPECT_FALSE(fs::exists("run"));
}

TEST_F(RunFolders, AFolderMadeByTheUserStays) {
  fs::create_directory("mine");
  { auto folder = RunFolder::create("mine"); }
  EXPECT_TRUE(fs::exists("mine"));
}

TEST_F(RunFolders, FoldersOfOthersAreRefusedAndLeftAlone) {
  write("photos/cat.jpg");
  write("json/report.json", "{\"schema\": \"other\"}");
  write("file");
  for (const char* name : {"photos", "json", "file"}) {
    const auto folder = RunFolder::create(name);
    ASSERT_FALSE(folder) << name;
    EXPECT_EQ(folder.error().kind, ErrorKind::usage);
    EXPECT_THAT(folder.error().text(), HasSubstr(std::string("--run-dir ") + name));
  }
  EXPECT_THAT(entries("photos"), ElementsAre("cat.jpg"));
}

TEST_F(RunFolders, FilesOfOthersAmongTheVariantsOfAnEarlierRunAreNotLost) {
  ASSERT_TRUE(RunFolder::create("run")->finish(a_report));
  write("run/variants/m/V01-a.onnx");
  write("run/variants/m/weights/0a1b");
  EXPECT_TRUE(RunFolder::create("run"));
  write("run/variants/m/notes.txt");
  const auto folder = RunFolder::create("run");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text(), HasSubstr("run/variants/m/notes.txt is no variant"));
}

TEST_F(RunFolders, FilesOfOthersAmongTheReprosOfAnEarlierRunAreNotLost) {
  ASSERT_TRUE(RunFolder::create("run")->finish(a_report));
  for (const char* file : {"repro.json", "repro.py", "README.md", "model.onnx", "test_data_set_0/input_0.pb"})
    write(fs::path("run/repro/F1") / file);
  EXPECT_TRUE(RunFolder::create("run"));
  for (const fs::path file : {"run/repro/F1/notes.txt", "run/repro/F1/mydata/input_0.pb", "run/repro/mine/README.md",
                              "run/repro/F1/test_data_set_0/labels.txt"}) {
    write(file);
    const auto folder = RunFolder::create("run");
    ASSERT_FALSE(folder) << file;
    EXPECT_THAT(folder.error().text(), HasSubstr(file.string() + " is no part of a repro"));
    fs::remove(file);
  }
  fs::create_symlink("/", "run/repro/F1/link");
  EXPECT_FALSE(RunFolder::create("run"));
}

TEST_F(RunFolders, AnEarlierRunStaysUntilTheNewOneIsDone) {
  write("run/report.json", ours_);
  write("run/variants/m/V09-old.onnx");
  {
    auto folder = RunFolder::create("run");
    ASSERT_TRUE(folder) << folder.error().text();
  }
  EXPECT_THAT(entries("run"), ElementsAre("report.json", "variants", "variants/m", "variants/m/V09-old.onnx"));
  {
    auto folder = RunFolder::create("run");
    ASSERT_TRUE(folder->finish(ours_ + "\n"));
  }
  EXPECT_THAT(entries("run"), ElementsAre("report.json")) << "the old variants are gone with the old report";
  EXPECT_EQ(content("run/report.json"), ours_ + "\n");
}

TEST_F(RunFolders, FaultyVariantsAreKeptUnderReadableNames) {
  auto folder = RunFolder::create("run");
  const fs::path work = *folder->work_folder(0);
  for (const char* file : {"one", "two", "three"}) write(work / "variants" / file, file);
  ModelReport report;
  report.model.path = "zoo/my net.onnx";
  report.variants = {variant("V01", "nop", Verdict::equivalent, "variants/one"),
                     variant("V02", "fuse_bn_into_conv", Verdict::diverged, "variants/two"),
                     variant("V03", "other", Verdict::diverged, "variants/two"),
                     variant("V04", "close", Verdict::deviates, "variants/three"),
                     variant("V05", "gone", Verdict::rejected, "variants/never_written"),
                     variant("V06", "none", Verdict::optimizer_crashed, "")};
  ASSERT_TRUE(folder->keep_variants(report, work, /*all=*/false, /*strict=*/false));
  EXPECT_FALSE(fs::exists("run/variants")) << "nothing is seen before the end";
  ASSERT_TRUE(folder->finish(ours_));
  std::vector<std::string> files;
  for (const auto& v : report.variants) files.push_back(v.file);
  const std::string kept = "variants/my_net/V02-fuse_bn_into_conv.onnx";
  EXPECT_THAT(files, ElementsAre("", kept, kept, "", "", ""));
  EXPECT_EQ(content(fs::path("run") / kept), "two");
}

TEST_F(RunFolders, AllOrStrictKeepsMore) {
  for (const bool all : {true, false}) {
    auto folder = RunFolder::create(all ? "all" : "strict");
    const fs::path work = *folder->work_folder(0);
    write(work / "one");
    write(work / "two");
    ModelReport report;
    report.model.path = "m.onnx";
    report.variants = {variant("V01", "a", Verdict::equivalent, "one"), variant("V02", "b", Verdict::deviates, "two")};
    ASSERT_TRUE(folder->keep_variants(report, work, all, /*strict=*/!all));
    EXPECT_EQ(report.variants[0].file, all ? "variants/m/V01-a.onnx" : "");
    EXPECT_EQ(report.variants[1].file, "variants/m/V02-b.onnx");
  }
}

TEST_F(RunFolders, ModelsOfOneNameDoNotMix) {
  auto folder = RunFolder::create("run");
  std::vector<std::string> files;
  for (std::size_t i = 0; i < 3; ++i) {
    const fs::path work = *folder->work_folder(i);
    write(work / "v");
    ModelReport report;
    report.model.path = std::to_string(i) + "/model.onnx";
    report.variants = {variant("V01", "a", Verdict::diverged, "v")};
    ASSERT_TRUE(folder->keep_variants(report, work, false, false));
    files.push_back(report.variants[0].file);
  }
  EXPECT_THAT(files,
              ElementsAre("variants/model/V01-a.onnx", "variants/model-2/V01-a.onnx", "variants/model-3/V01-a.onnx"));
}

TEST_F(RunFolders, ReprosLieTogetherOrByModel) {
  write("run/report.json", ours_);
  write("run/repro/F9/repro.json");
  auto folder = RunFolder::create("run");
  const auto one = folder->repro_place("my net.onnx", *folder->work_folder(0), "F1", /*is_one_of_several=*/false);
  const auto two = folder->repro_place("my net.onnx", *folder->work_folder(0), "F1", /*is_one_of_several=*/true);
  const auto other = folder->repro_place("my net.onnx", *folder->work_folder(1), "F1", /*is_one_of_several=*/true);
  EXPECT_EQ(one.name, "repro/F1");
  EXPECT_EQ(two.name, "repro/my_net/F1");
  EXPECT_EQ(other.name, "repro/my_net-2/F1");
  write(one.folder / "model.onnx");
  EXPECT_TRUE(fs::exists("run/repro/F9")) << "nothing is seen before the end";
  ASSERT_TRUE(folder->finish(ours_));
  EXPECT_TRUE(fs::exists("run/repro/F1/model.onnx"));
  EXPECT_FALSE(fs::exists("run/repro/F9"));
}

TEST_F(RunFolders, ThePlaceThatCannotBeWrittenIsNamed) {
  write("file");
  const auto folder = RunFolder::create("file/under");
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().text(), HasSubstr("file/under"));
}

/// The work folder of a run in `folder`; "" where there is none.
fs::path work_in(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().native().starts_with(".work-")) return entry.path();
  return "";
}

/// A process that made its run folder, holds a file in it, and was killed; returns that folder.
fs::path killed_run(const fs::path& wanted) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto folder = RunFolder::create(wanted);
    const std::string path = folder->path();
    std::ofstream(*folder->work_folder(0) / "0.pack") << "large";
    [[maybe_unused]] const auto told = ::write(ends[1], path.data(), path.size());
    ::raise(SIGKILL);
  }
  char path[200];
  const auto length = ::read(ends[0], path, sizeof path);
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return std::string(path, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
}

TEST_F(RunFolders, WhatAKilledRunLeftIsRemovedByTheNext) {
  const fs::path killed = killed_run("");
  ASSERT_NE(work_in(killed), "");
  write(killed / "logs" / "worker.log");
  const fs::path without_logs = killed_run("");
  EXPECT_EQ(work_in(killed), "") << "by the second one";
  auto living = RunFolder::create("");
  EXPECT_THAT(entries(killed), ElementsAre("logs", "logs/worker.log"));
  EXPECT_FALSE(fs::exists(without_logs));
  auto other = RunFolder::create("");
  EXPECT_NE(work_in(living->path()), "") << "its owner lives";
}

TEST_F(RunFolders, ANamedFolderInWhichARunWasKilledCanBeUsedAgain) {
  killed_run("mine");
  ASSERT_NE(work_in("mine"), "");
  EXPECT_TRUE(RunFolder::create("mine"));
}

TEST_F(RunFolders, WhatHasNoOwnerFileIsLeftAlone) {
  write(".culprit/20260101T000000Z-0000/.work-mine/notes.txt");
  auto folder = RunFolder::create("");
  EXPECT_TRUE(fs::exists(".culprit/20260101T000000Z-0000/.work-mine/notes.txt"));
}

}  // namespace
}  // namespace culprit
