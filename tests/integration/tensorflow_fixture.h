#pragma once
// TensorFlow's own library, opened once for all tests of a program. Without it they are skipped, and say what brings
// it.

#include <gtest/gtest.h>

#include <memory>

#include "runtime/find_library.h"
#include "runtime/open_runner.h"

namespace culprit {

class TensorflowFixture : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto library = find_tensorflow();
    if (!library) return;
    auto opened = open_runner({*library, std::string(tensorflow_kind)});
    ASSERT_TRUE(opened) << opened.error().text();
    runner() = std::move(*opened);
  }
  void SetUp() override {
    if (runner() == nullptr) GTEST_SKIP() << find_tensorflow().error().text();
  }
  static std::unique_ptr<Runner>& runner() {
    static std::unique_ptr<Runner> opened;
    return opened;
  }
};

}  // namespace culprit
