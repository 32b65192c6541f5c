#include "process/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace culprit {
namespace {

class LogFileTest : public ::testing::Test {
 protected:
  LogFileTest() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-log").value()) {
    log_ = LogFile::create(folder_.path()).value();
  }
  void write(const std::string& text) {
    ASSERT_EQ(::write(log_.fd(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  TemporaryFolder folder_;
  LogFile log_;
};

TEST_F(LogFileTest, HasNoName) { EXPECT_TRUE(fs::is_empty(folder_.path())); }

TEST_F(LogFileTest, KeepsTheEnd) {
  EXPECT_EQ(log_.last_words(), "");
  write(std::string(10'000, 'a'));
  write("\x1b[1mthe\nend");
  const std::string words = log_.last_words();
  EXPECT_LE(words.size(), 4096u);
  EXPECT_TRUE(words.ends_with("athe\nend")) << words.substr(words.size() - 20);
}

TEST_F(LogFileTest, BeginsAnewForTheNextJob) {
  write("of the first job");
  log_.clear();
  EXPECT_EQ(log_.last_words(), "");
  write("of the second");
  EXPECT_EQ(log_.last_words(), "of the second");
}

TEST_F(LogFileTest, DoesNotGrowWithoutEnd) {
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 10; ++i) write(piece);
  log_.keep_small();
  EXPECT_NE(log_.last_words(), "");
  for (int i = 0; i < 10; ++i) write(piece);
  log_.keep_small();
  EXPECT_EQ(log_.last_words(), "");
}

TEST_F(LogFileTest, NeedsItsFolder) {
  EXPECT_EQ(LogFile::create(folder_.path() / "nothing").error().kind, ErrorKind::io);
}

}  // namespace
}  // namespace culprit
