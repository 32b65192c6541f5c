#include "report/written_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "report/console.h"
#include "report/json.h"
#include "sample_reports.h"

namespace culprit {
namespace {

using namespace culprit::testing;

TEST(WrittenReport, WhatIsPrintedIsKnownAgain) {
  for (const ModelReport& report : full_report().models) {
    const std::string text = to_console(report, {}, "run");
    EXPECT_TRUE(is_printed_report(text)) << text;
  }
  for (const char* outcome : {"the same", "the same within the tolerance", "MISMATCH", "cannot judge"})
    EXPECT_TRUE(is_printed_report(std::string(outcome) + "\n  A  a.onnx  2 nodes\n"));
}

TEST(WrittenReport, OtherTextsAreNone) {
  for (const char* text :
       {"", "Dear diary,\n", "model.onnx  ok\n", "all  ok  5 tests\n", "profile  of a tree\n", "the same\n", "{}\n"})
    EXPECT_FALSE(is_printed_report(text)) << text;
}

TEST(WrittenReport, WhatElseIsFoundIsSaid) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-written-").value();
  const auto found = [&](const std::string& content) {
    std::ofstream(folder.path() / "file", std::ios::binary) << content;
    return what_else_than_a_report(folder.path() / "file");
  };
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found(to_json(full_report())), "");
  EXPECT_EQ(found(to_console(full_report().models[0], {}, "run")), "");
  EXPECT_EQ(found("Dear diary,\nit rains"), "it begins with 'Dear diary,'");
  EXPECT_EQ(found("{\"x\": 1}"), "it begins with '{\"x\": 1}'");
  EXPECT_EQ(found(std::string("weights\0", 8)), "it is no text");
}

}  // namespace
}  // namespace culprit
