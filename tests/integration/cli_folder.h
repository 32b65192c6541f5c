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
#include "support/small_models.h"
#include "support/tool.h"

namespace culprit::testing {

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
