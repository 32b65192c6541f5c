#include "cli/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/free_places.h"
#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class Places : public ::testing::Test {
 protected:
  void SetUp() override {
    write("model.onnx", "a model");
    request_.models = {at("model.onnx")};
  }
  [[nodiscard]] fs::path at(const char* name) const { return folder_.path() / name; }
  void write(const char* name, const std::string& text) const {
    fs::create_directories(at(name).parent_path());
    std::ofstream(at(name), std::ios::binary) << text;
  }
  std::string complaint() const {
    const WorkshopOrder order = order_of(request_);
    const auto fine = output_must_be_fine(output_, Format::text, order).and_then([&] {
      return run_folder_must_hold_nothing_to_read(order);
    });
    if (fine) return "fine";
    EXPECT_EQ(fine.error().kind, ErrorKind::usage);
    return fine.error().text();
  }
  std::string complaint_of_output(const char* name) {
    output_ = at(name);
    return complaint();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-").value();
  CheckRequest request_;
  fs::path output_;
};

TEST_F(Places, AReportIsWrittenWhereNothingIsOrAReport) {
  write("old.txt", "model.onnx  ok  40 variants, 1 distinct, no fault\n");
  write("empty", "");
  for (const char* name : {"new.txt", "old.txt", "empty"}) EXPECT_EQ(complaint_of_output(name), "fine") << name;
  output_ = "/dev/stdout";
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
  request_.known = at("known.json");
  EXPECT_THAT(complaint_of_output("known.json"), HasSubstr("what --known names, and would be overwritten"));
  request_.data.samples.inputs = {"x=" + at("x.npy").string()};
  EXPECT_THAT(complaint_of_output("x.npy"), HasSubstr("what --input x names, and would be overwritten"));
  request_.running.session.custom_ops = {at("lib.so")};
  EXPECT_THAT(complaint_of_output("lib.so"), HasSubstr("what --custom-ops names"));
  request_.running.runtime = request_.witnesses.python = at("empty");
  write("empty", "");
  EXPECT_THAT(complaint_of_output("empty"), HasSubstr("what --runtime names"));
  request_.data.samples.data = at("samples.npz");
  write("samples.npz", "");
  EXPECT_THAT(complaint_of_output("samples.npz"), HasSubstr("what --data names"));
}

TEST_F(Places, NothingIsWrittenWhereTheRunReplacesAll) {
  write("run/repro/F1/x", "");
  write("run/report.json", "{}");
  request_.folder.run_dir = at("run");
  EXPECT_THAT(complaint_of_output("run/repro/report.txt"), HasSubstr("a run replaces what lies in that folder"));
  EXPECT_THAT(complaint_of_output("run/report.json"), HasSubstr("the run writes its report.json there"));
  EXPECT_EQ(complaint_of_output("run/report.txt"), "fine");
}

TEST_F(Places, AFolderThatCannotBeWrittenIsSaidBeforeTheWork) {
  output_ = "/proc/report.txt";
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
  request_.models = {at("run/variants/m/V01-a.onnx")};
  for (const char* folder : {"run", "link", "run/variants"}) {
    request_.folder.run_dir = at(folder);
    EXPECT_THAT(complaint(), HasSubstr("lies in it")) << folder;
  }
  request_.folder.run_dir = at("run/variants/m/V01-a.onnx");
  EXPECT_THAT(complaint(), HasSubstr("not a folder"));
  request_.folder.run_dir = at("run2");
  EXPECT_EQ(complaint(), "fine");
}

TEST_F(Places, NothingThatIsReadLiesInTheRunFolder) {
  write("run/repro/F1/mydata/x.npy", "");
  write("run/known.json", "{}");
  request_.folder.run_dir = at("run");
  request_.data.samples.data = at("run/repro/F1/mydata");
  EXPECT_THAT(complaint(), HasSubstr("what --data names) lies in it"));
  request_.data = {};
  request_.data.samples.inputs = {"x=" + at("run/repro/F1/mydata/x.npy").string()};
  EXPECT_THAT(complaint(), HasSubstr("what --input x names) lies in it"));
  request_.data = {};
  request_.known = at("run/known.json");
  EXPECT_THAT(complaint(), HasSubstr("what --known names) lies in it"));
}

TEST_F(Places, WhatAFlagNamesMustBeThere) {
  request_.known = at("nosuch");
  EXPECT_THAT(complaint(), HasSubstr("--known " + at("nosuch").string() + ": there is no such file"));
  request_.known.clear();
  request_.data.samples.inputs = {"n=7", "x=nosuch.npy"};
  EXPECT_THAT(complaint(), HasSubstr("--input x nosuch.npy: there is no such file"));
  request_.data.samples.inputs.clear();
  request_.data.samples.data = "nosuch";
  EXPECT_THAT(complaint(), HasSubstr("--data nosuch: there is no such file"));
}

TEST_F(Places, ALibraryMustBeThereAndBeOne) {
  request_.running.session.custom_ops = {at("ops.so")};
  EXPECT_THAT(complaint(), HasSubstr("no such file"));
  write("ops.so", "#!/bin/sh\n");
  EXPECT_THAT(complaint(), HasSubstr("that is no shared library"));
}

}  // namespace
}  // namespace culprit
