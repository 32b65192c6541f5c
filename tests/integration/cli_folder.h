#pragma once
// A folder with models to start the built binary in.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/text.h"
#include "support/tool.h"

namespace culprit::testing {

inline constexpr const char* clean_model = R"(
<ir_version: 8, opset_import: ["" : 13]>
clean (float[2,3] x) => (float[2,3] y)
<float[3] w = {1.5, -2.0, 0.25}>
{
  a = Add(x, w)
  b = Identity(a)
  y = Relu(b)
})";

// tests/corpus/faults/slice-axes-from-value-ints.onnxtxt: the predicate finds a Constant with value_ints and aborts the
// process.
inline constexpr const char* crashing_model = R"(
<ir_version: 7, opset_import: ["" : 12]>
crashing (float[3,2] x) => (float[2,2] y)
<float[4,3] left = {0.5, -1.0, 2.0, 0.25, 1.5, -0.75, 1.0, 0.1, -0.2, 0.3, -0.4, 0.6}, float[3,2] right = {1.0, -2.0, 3.0, 0.5, 0.25, -0.75}, int64[1] one = {1}, int64[1] three = {3}>
{
  axes = Constant<value_ints = [0]>()
  s = Slice(left, one, three, axes)
  m = MatMul(s, right)
  g = ReduceSum<keepdims = 0>(x)
  y = Mul(m, g)
})";

// tests/corpus/faults/pad-axes-into-conv.onnxtxt, smaller: fuse_pad_into_conv does not look at the axes.
inline constexpr const char* faulty_model = R"(
<ir_version: 8, opset_import: ["" : 18]>
faulty (float[1,1,3,3] x) => (float[1,1,H,V] y)
<float[1,1,3,3] W = {-0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2}, int64[8] pads = {0, 0, 2, 1, 0, 0, 2, 1}, int64[4] axes = {0, 1, 3, 2}>
{
  padded = Pad(x, pads, "", axes)
  y = Conv<kernel_shape = [3, 3]>(padded, W)
})";

/// A folder to start the binary in, with models; its shell runs `culprit` from the PATH.
class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    write_model("model.onnx", clean_model);
    fs::create_symlink(CULPRIT_BINARY, folder_.path() / "culprit");
  }

  void write_model(const std::string& name, const char* text) {
    onnx::ModelProto model;
    const auto parsed = onnx::OnnxParser::Parse(model, text);
    ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
    std::ofstream(folder_.path() / name, std::ios::binary) << model.SerializeAsString();
  }

  /// Runs a line in bash, in the folder. Streams go to files unless the line says otherwise.
  Ran shell(const std::string& line) {
    const fs::path script = folder_.path() / ".script";
    std::ofstream(script) << "cd '" << folder_.path().string() << "'\nexport PATH=$PWD:$PATH\n" << line << "\n";
    const std::string command = "bash '" + script.string() + "' > '" + (folder_.path() / ".out").string() + "' 2> '" +
                                (folder_.path() / ".err").string() + "' < /dev/null";
    const int status = std::system(command.c_str());
    Ran ran;
    ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = text_of(".out");
    ran.err = text_of(".err");
    return ran;
  }

  std::string text_of(const fs::path& name) { return read_file(folder_.path() / name).value(); }
  bool there(const fs::path& name) { return fs::exists(folder_.path() / name); }

  /// The one run folder under .culprit; "" where there is none.
  fs::path run_folder() {
    if (!there(".culprit")) return "";
    fs::path found;
    for (const auto& entry : fs::directory_iterator(folder_.path() / ".culprit"))
      found = fs::relative(entry.path(), folder_.path());
    return found;
  }

  /// tests/schema/validate.py, strictly.
  void expect_valid(const fs::path& report) {
    const std::string source = CULPRIT_SOURCE;
    const Ran ran = shell("/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                          "/docs/report.schema.json' '" + report.string() + "'");
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  }

  TemporaryFolder folder_ = scratch();
};

}  // namespace culprit::testing
