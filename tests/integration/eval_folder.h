#pragma once
// A folder with models for `culprit eval`, whose reports are held against their schema.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <cstdlib>

#include "base/file.h"
#include "base/random.h"
#include "model/model.h"
#include "support/tool.h"

namespace culprit::testing {

using nlohmann::json;

/// y[n] = the n-th of ten weighted sums of x; the class is the largest one.
inline std::string classifier(const std::string& last) {
  return R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,4] x) => (float[1,10] y) <float[4,10] w = {)" +
         [] {
           Random random(7);
           std::string numbers;
           for (int i = 0; i < 40; ++i) numbers += (i > 0 ? "," : "") + std::to_string(random.normal());
           return numbers;
         }() +
         R"(}> { a = MatMul(x, w) b = )" + last + R"( y = Softmax<axis = -1>(b) })";
}

class Eval : public ::testing::Test {
 protected:
  std::string model(const std::string& name, const std::string& text) {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, text.c_str()).IsOK());
    const fs::path file = folder_.path() / name;
    EXPECT_TRUE(write_file_atomic(file, model.SerializeAsString()));
    return file.string();
  }
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }
  Ran eval(std::vector<std::string> words) {
    words.insert(words.begin(), "eval");
    words.insert(words.end(), {"--run-dir", path("run")});
    Ran ran = culprit(words);
    const auto text = read_file(folder_.path() / "run" / "report.json");
    if (text) ran.report = json::parse(*text);
    if (text) expect_valid(path("run/report.json"));
    return ran;
  }
  static void expect_valid(const std::string& report) {
    const std::string source = CULPRIT_SOURCE;
    const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                                 "/docs/eval.schema.json' '" + report + "'";
    EXPECT_EQ(std::system(validate.c_str()), 0) << report;
  }

  TemporaryFolder folder_ = scratch();
};

}  // namespace culprit::testing
