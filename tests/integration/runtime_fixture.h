#pragma once
// Models in text, run with the real ONNX Runtime.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "runtime/runner.h"

namespace culprit::testing {

class RuntimeTest : public ::testing::Test {
 protected:
  RuntimeTest();
  /// Writes the model and loads it; asserts that it loads.
  std::unique_ptr<RunnerSession> load(const std::string& text, const SessionOptions& options = {});
  Result<std::unique_ptr<RunnerSession>> try_load(const std::string& text, const SessionOptions& options = {});
  [[nodiscard]] fs::path folder() const { return folder_.path(); }
  std::unique_ptr<Runner> runner_;

 private:
  TemporaryFolder folder_;
};

/// Op types of a model file, in order.
std::vector<std::string> ops_in(const fs::path& model);
fs::path write_text_model(const std::string& text, const fs::path& folder);

}  // namespace culprit::testing
