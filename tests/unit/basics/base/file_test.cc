#include "base/file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FileTest : public ::testing::Test {
 protected:
  fs::path at(std::string_view name) const { return folder_.path() / name; }
  void put(std::string_view name, std::string_view content) const {
    std::ofstream(at(name), std::ios::binary) << content;
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-file-test-").value();
};

/// What a failing read says: kind and text.
std::string complaint(const fs::path& path) {
  const auto read = read_file(path);
  return read ? "no error" : read.error().text();
}

TEST_F(FileTest, ReadsEveryByte) {
  const std::string bytes("a\0b\nc\xff", 6);
  put("x", bytes);
  EXPECT_EQ(read_file(at("x")).value(), bytes);
  put("empty", "");
  EXPECT_EQ(read_file(at("empty")).value(), "");
}

TEST_F(FileTest, ReadsFilesWhoseSizeTheSystemDoesNotKnow) {
  const auto read = read_file("/proc/self/status");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_THAT(*read, HasSubstr("Name:"));
}

TEST_F(FileTest, LimitIsInBytes) {
  put("x", "12345");
  EXPECT_EQ(read_file(at("x"), 5).value(), "12345");
  const auto read = read_file(at("x"), 4);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(read.error().message, AllOf(HasSubstr("5 B"), HasSubstr("limit of 4 B")));
  EXPECT_FALSE(read_file("/proc/self/status", 10));  // said to be of size 0, and is not
}

TEST_F(FileTest, MissingFileIsNotFoundWithItsName) {
  const auto read = read_file(at("nothing.onnx"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, ErrorKind::not_found);
  EXPECT_THAT(read.error().message, AllOf(HasSubstr("nothing.onnx"), HasSubstr("No such file")));
  EXPECT_FALSE(read.error().hint.empty());
  put("plain", "");
  EXPECT_EQ(read_file(at("plain") / "below").error().kind, ErrorKind::not_found);
}

TEST_F(FileTest, WhatIsNotAFileIsNamed) {
  EXPECT_THAT(complaint(folder_.path()), HasSubstr("it is a folder, not a file"));
  EXPECT_THAT(complaint("/dev/zero"), HasSubstr("it is a device, not a file"));
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THAT(complaint(at("pipe")), HasSubstr("it is a pipe, not a file"));  // and does not wait for a writer
  EXPECT_THAT(complaint(""), HasSubstr("empty"));
  EXPECT_THAT(complaint(fs::path(std::string("a\0b", 3))), HasSubstr("NUL"));
}

/// In a child that is nobody, because root may read everything: 0 when the refusal was reported as it should.
int child_without_permission(const fs::path& path) {
  if (geteuid() == 0 && setuid(65534) != 0) return 1;
  const std::string said = complaint(path);
  return said.find("Permission denied") != std::string::npos && said.find("check its permissions") != std::string::npos
             ? 0
             : 2;
}

TEST_F(FileTest, UnreadableFileSaysPermission) {
  put("x", "secret");
  fs::permissions(at("x"), fs::perms::none);
  const pid_t child = fork();
  if (child == 0) _exit(child_without_permission(at("x")));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(FileTest, NamesInMessagesCannotSteerTheTerminal) {
  EXPECT_THAT(complaint(at("\x1b[2J")), ::testing::Not(HasSubstr("\x1b")));
}

TEST_F(FileTest, WritesAndReplacesLeavingNothingElse) {
  ASSERT_TRUE(write_file_atomic(at("x"), "old"));
  ASSERT_TRUE(write_file_atomic(at("x"), "new"));
  EXPECT_EQ(read_file(at("x")).value(), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, NewFilesHaveTheUsersUsualPermissions) {
  const mode_t mask = umask(0022);
  ASSERT_TRUE(write_file_atomic(at("x"), ""));
  umask(mask);
  EXPECT_EQ(fs::status(at("x")).permissions(), static_cast<fs::perms>(0644));
}

TEST_F(FileTest, PiecesAreWrittenInOrder) {
  const std::array<std::string_view, 3> pieces{"ab", "", "c"};
  ASSERT_TRUE(write_pieces_atomic(at("x"), pieces, Durability::buffered));
  EXPECT_EQ(read_file(at("x")).value(), "abc");
}

TEST_F(FileTest, ReadersOfTheOldFileKeepIt) {
  put("x", "old");
  std::ifstream reader(at("x"));
  ASSERT_TRUE(write_file_atomic(at("x"), "new"));
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old");
}

TEST_F(FileTest, LinkToAFileStaysALink) {
  put("real", "old");
  fs::create_symlink("real", at("link"));
  ASSERT_TRUE(write_file_atomic(at("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(read_file(at("real")).value(), "new");
}

TEST_F(FileTest, DevicesAreWrittenToAndNotReplaced) {
  fs::create_symlink("/dev/null", at("null"));
  EXPECT_TRUE(write_file_atomic(at("null"), "away"));
  EXPECT_EQ(fs::status("/dev/null").type(), fs::file_type::character);
  fs::create_symlink("/dev/full", at("full"));
  const auto written = write_file_atomic(at("full"), "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_THAT(written.error().text(), AllOf(HasSubstr("No space left"), HasSubstr("free some space")));
}

TEST_F(FileTest, UnwritablePlacesAreErrors) {
  EXPECT_EQ(write_file_atomic(at("no") / "such" / "folder", "x").error().kind, ErrorKind::not_found);
  EXPECT_THAT(write_file_atomic(folder_.path(), "x").error().message, HasSubstr("Is a directory"));
  EXPECT_FALSE(write_file_atomic("", "x"));
}

/// In a child, because limits and signals belong to the whole process: 0 when the failed write was reported as it
/// should.
int child_with_file_limit(const fs::path& target) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, 1000};
  setrlimit(RLIMIT_FSIZE, &limit);
  const auto written = write_file_atomic(target, std::string(5000, 'x'));
  if (written) return 1;
  return written.error().message.find("File too large") != std::string::npos ? 0 : 2;
}

TEST_F(FileTest, FailedWriteKeepsTheOldFileAndLeavesNothingBehind) {
  put("x", "old");
  const pid_t child = fork();
  if (child == 0) _exit(child_with_file_limit(at("x")));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_file(at("x")).value(), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileTest, MapsWhatIsThere) {
  put("x", "content");
  auto mapped = MappedFile::open(at("x")).value();
  MappedFile moved = std::move(mapped);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(moved.bytes().data()), moved.bytes().size()), "content");
  EXPECT_TRUE(mapped.bytes().empty());  // NOLINT(bugprone-use-after-move): the promise under test
  put("empty", "");
  EXPECT_TRUE(MappedFile::open(at("empty")).value().bytes().empty());
  EXPECT_FALSE(MappedFile::open(folder_.path()));
  EXPECT_EQ(MappedFile::open(at("none")).error().kind, ErrorKind::not_found);
}

TEST_F(FileTest, TemporaryFolderGoesWithItsContents) {
  fs::path first;
  {
    auto temporary = TemporaryFolder::create(folder_.path(), "t-").value();
    auto other = TemporaryFolder::create(folder_.path(), "t-").value();
    EXPECT_NE(temporary.path(), other.path());
    fs::create_directories(temporary.path() / "a" / "b");
    first = temporary.path();
    const TemporaryFolder moved = std::move(temporary);
    EXPECT_TRUE(fs::exists(first));
  }
  EXPECT_FALSE(fs::exists(first));
  EXPECT_EQ(entries(), 0U);
}

TEST_F(FileTest, KeptFolderStays) {
  fs::path kept;
  {
    auto temporary = TemporaryFolder::create(folder_.path(), "t-").value();
    kept = temporary.path();
    temporary.keep();
  }
  EXPECT_TRUE(fs::exists(kept));
  EXPECT_EQ(TemporaryFolder::create(at("none"), "t-").error().kind, ErrorKind::not_found);
  EXPECT_FALSE(TemporaryFolder::create(folder_.path(), "../t-"));
}

TEST_F(FileTest, ALargePieceIsStoppedWithinAndLeavesNothing) {
  const std::string large(std::size_t{100} << 20, 'x');
  const std::string_view piece = large;
  int asked = 0;
  const auto written =
      write_pieces_atomic(at("large"), {&piece, 1}, Durability::buffered, [&] { return ++asked == 2; });
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::interrupted);
  EXPECT_EQ(asked, 2);
  EXPECT_TRUE(fs::is_empty(at("")));
}

}  // namespace
}  // namespace culprit
