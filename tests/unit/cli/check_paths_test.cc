#include "cli/check_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class Places : public ::testing::Test {
 protected:
  void SetUp() override {
    write("model.onnx", "a model");
    arguments_.models = {at("model.onnx")};
  }
  [[nodiscard]] fs::path at(const char* name) const { return folder_.path() / name; }
  void write(const char* name, const std::string& text) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name), std::ios::binary) << text;
  }
  std::string complaint() const {
    const auto fine = places_must_be_fine(arguments_);
    if (fine) return "fine";
    EXPECT_EQ(fine.error().kind, ErrorKind::usage);
    return fine.error().text();
  }
  std::string complaint_of_output(const char* name) {
    arguments_.output = at(name);
    return complaint();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
  CheckArguments arguments_;
};

TEST_F(Places, AReportIsWrittenWhereNothingIsOrAReport) {
  write("old.txt", "model.onnx  ok  40 variants, 1 distinct, no fault\n");
  write("empty", "");
  for (const char* name : {"new.txt", "old.txt", "empty"}) EXPECT_EQ(complaint_of_output(name), "fine") << name;
  arguments_.output = "/dev/stdout";
  EXPECT_EQ(complaint(), "fine");
}

TEST_F(Places, AReportIsNotWrittenOverAnythingElse) {
  write("model.data", std::string(100, '\0'));
  write("x.npy", std::string("\x93NUMPY\1\0v\0", 10));
  write("diary.txt", "Dear diary,\n");
  write("numbers.json", "{\"x\": [1, 2]}");
  for (const char* name : {"model.data", "x.npy", "diary.txt", "numbers.json"})
    EXPECT_THAT(complaint_of_output(name), HasSubstr("no report, and it is not replaced")) << name;
  EXPECT_THAT(complaint_of_output("diary.txt"), HasSubstr("it begins with 'Dear diary,'"));
}

TEST_F(Places, AReportIsNotWrittenOverWhatTheCommandReads) {
  write("known.json", "{}");
  write("x.npy", "");
  write("lib.so",
        "\x7f"
        "ELF");
  arguments_.known = at("known.json");
  EXPECT_THAT(complaint_of_output("known.json"), HasSubstr("what --known names, and would be overwritten"));
  arguments_.data.inputs = {"x=" + at("x.npy").string()};
  EXPECT_THAT(complaint_of_output("x.npy"), HasSubstr("what --input x names, and would be overwritten"));
  arguments_.check.session.custom_ops = {at("lib.so")};
  EXPECT_THAT(complaint_of_output("lib.so"), HasSubstr("what --custom-ops names"));
  arguments_.runtime = arguments_.python = at("empty");
  write("empty", "");
  EXPECT_THAT(complaint_of_output("empty"), HasSubstr("what --runtime names"));
  arguments_.data.data = at("samples.npz");
  write("samples.npz", "");
  EXPECT_THAT(complaint_of_output("samples.npz"), HasSubstr("what --data names"));
}

TEST_F(Places, NothingIsWrittenWhereTheRunReplacesAll) {
  write("run/repro/F1/x", "");
  write("run/report.json", "{}");
  arguments_.run_dir = at("run");
  EXPECT_THAT(complaint_of_output("run/repro/report.txt"), HasSubstr("a run replaces what lies in that folder"));
  EXPECT_THAT(complaint_of_output("run/report.json"), HasSubstr("the run writes its report.json there"));
  EXPECT_EQ(complaint_of_output("run/report.txt"), "fine");
}

TEST_F(Places, AFolderThatCannotBeWrittenIsSaidBeforeTheWork) {
  arguments_.output = "/proc/report.txt";
  EXPECT_THAT(complaint(), HasSubstr("-o /proc/report.txt: cannot make a temporary folder in /proc"));
}

TEST_F(Places, AReportIsNotWrittenOverAModel) {
  fs::create_symlink("model.onnx", at("link"));
  EXPECT_THAT(complaint_of_output("link"), HasSubstr("would be overwritten"));
  EXPECT_THAT(complaint_of_output("other.onnx"), HasSubstr("the name of a model"));
  EXPECT_THAT(complaint_of_output("no/report.txt"), HasSubstr("make the folder first"));
}

TEST_F(Places, NoModelLiesInTheRunFolder) {
  write("run/variants/m/V01-a.onnx", "a model");
  fs::create_symlink("run", at("link"));
  arguments_.models = {at("run/variants/m/V01-a.onnx")};
  for (const char* folder : {"run", "link", "run/variants"}) {
    arguments_.run_dir = at(folder);
    EXPECT_THAT(complaint(), HasSubstr("lies in it")) << folder;
  }
  arguments_.run_dir = at("run/variants/m/V01-a.onnx");
  EXPECT_THAT(complaint(), HasSubstr("not a folder"));
  arguments_.run_dir = at("run2");
  EXPECT_EQ(complaint(), "fine");
}

TEST_F(Places, NothingThatIsReadLiesInTheRunFolder) {
  write("run/repro/F1/mydata/x.npy", "");
  write("run/known.json", "{}");
  arguments_.run_dir = at("run");
  arguments_.data.data = at("run/repro/F1/mydata");
  EXPECT_THAT(complaint(), HasSubstr("what --data names) lies in it"));
  arguments_.data = {};
  arguments_.data.inputs = {"x=" + at("run/repro/F1/mydata/x.npy").string()};
  EXPECT_THAT(complaint(), HasSubstr("what --input x names) lies in it"));
  arguments_.data = {};
  arguments_.known = at("run/known.json");
  EXPECT_THAT(complaint(), HasSubstr("what --known names) lies in it"));
}

TEST_F(Places, WhatAFlagNamesMustBeThere) {
  arguments_.known = at("nosuch");
  EXPECT_THAT(complaint(), HasSubstr("--known " + at("nosuch").string() + ": there is no such file"));
  arguments_.known.clear();
  arguments_.data.inputs = {"n=7", "x=nosuch.npy"};
  EXPECT_THAT(complaint(), HasSubstr("--input x nosuch.npy: there is no such file"));
  arguments_.data.inputs.clear();
  arguments_.data.data = "nosuch";
  EXPECT_THAT(complaint(), HasSubstr("--data nosuch: there is no such file"));
}

TEST_F(Places, ALibraryMustBeThereAndBeOne) {
  arguments_.check.session.custom_ops = {at("ops.so")};
  EXPECT_THAT(complaint(), HasSubstr("no such file"));
  write("ops.so", "#!/bin/sh\n");
  EXPECT_THAT(complaint(), HasSubstr("that is no shared library"));
}

}  // namespace
}  // namespace culprit
