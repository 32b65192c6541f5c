#pragma once
// Golden files: what is expected stands in a file that a person can read. CULPRIT_UPDATE_GOLDEN=1 writes them anew;
// read the diff.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace culprit::testing {

inline void expect_golden(const std::string& name, const std::string& text) {
  const auto path = std::filesystem::path(CULPRIT_SOURCE) / "tests/unit/tool/report/golden" / name;
  if (std::getenv("CULPRIT_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ostringstream expected;
  expected << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, expected.str()) << "differs from " << path << "; CULPRIT_UPDATE_GOLDEN=1 writes it anew";
}

}  // namespace culprit::testing
