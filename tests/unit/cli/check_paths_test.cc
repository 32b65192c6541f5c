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

TEST_F(Places, AReportIsWrittenWhereNothingIsOrText) {
  write("old.txt", "model.onnx  ok\n");
  write("empty", "");
  for (const char* name : {"new.txt", "old.txt", "empty"}) EXPECT_EQ(complaint_of_output(name), "fine") << name;
  arguments_.output = "/dev/stdout";
  EXPECT_EQ(complaint(), "fine");
}

TEST_F(Places, AReportIsNotWrittenOverWeightsOrSamples) {
  write("model.data", std::string(100, '\0'));
  write("x.npy", std::string("\x93NUMPY\1\0v\0", 10));
  for (const char* name : {"model.data", "x.npy"})
    EXPECT_THAT(complaint_of_output(name), HasSubstr("no report, and it is not replaced")) << name;
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
  arguments_.run_dir = at("run2");
  EXPECT_EQ(complaint(), "fine");
}

TEST_F(Places, ALibraryMustBeThere) {
  arguments_.check.session.custom_ops = {at("ops.so")};
  EXPECT_THAT(complaint(), HasSubstr("no such file"));
}

}  // namespace
}  // namespace culprit
