#pragma once
// A folder that stands for the system's, filled by tests.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/file.h"

namespace culprit {

class SystemFolder : public testing::Test {
 protected:
  SystemFolder() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-system").value()) {}
  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text << "\n";
  }
  [[nodiscard]] const fs::path& root() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace culprit
