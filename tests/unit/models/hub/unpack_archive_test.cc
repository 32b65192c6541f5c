// Archives that are right, and archives that want to write elsewhere.

#include "hub/unpack_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/files_below.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

struct PackedEntry {
  std::string name, bytes;
  unsigned type = AE_IFREG;
  std::string link = {}, hard_link = {};
};

class Unpacked : public ::testing::Test {
 protected:
  void pack(const std::vector<PackedEntry>& entries) const {
    archive* writer = archive_write_new();
    archive_write_add_filter_gzip(writer);
    archive_write_set_format_pax_restricted(writer);
    archive_write_open_filename(writer, file_.c_str());
    for (const PackedEntry& packed : entries) {
      archive_entry* entry = archive_entry_new();
      archive_entry_set_pathname(entry, packed.name.c_str());
      archive_entry_set_filetype(entry, packed.type);
      archive_entry_set_perm(entry, 0644);
      if (!packed.link.empty()) archive_entry_set_symlink(entry, packed.link.c_str());
      if (!packed.hard_link.empty()) archive_entry_set_hardlink(entry, packed.hard_link.c_str());
      archive_entry_set_size(entry, static_cast<la_int64_t>(packed.bytes.size()));
      archive_write_header(writer, entry);
      archive_write_data(writer, packed.bytes.data(), packed.bytes.size());
      archive_entry_free(entry);
    }
    archive_write_free(writer);
  }
  /// Nothing of it is there, and nothing beside it but the archive.
  void expect_refused(const std::string& why, const UnpackLimits& limits = {}) const {
    const auto unpacked = unpack_archive(file_, folder_, limits);
    ASSERT_FALSE(unpacked);
    EXPECT_EQ(unpacked.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(unpacked.error().message, HasSubstr(why));
    const std::vector<fs::path> left = files_below(place_.path()).value();
    EXPECT_EQ(left, std::vector{file_});
  }

  TemporaryFolder place_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-unpacked-").value();
  fs::path file_ = place_.path() / "model.tar.gz", folder_ = place_.path() / "model";
};

TEST_F(Unpacked, FilesAndFoldersAreThere) {
  pack({{"mnist/", "", AE_IFDIR},
        {"mnist/model.onnx", "bytes"},
        {"mnist/test_data_set_0/input_0.pb", std::string(300000, 'x')}});
  const auto unpacked = unpack_archive(file_, folder_);
  ASSERT_TRUE(unpacked) << unpacked.error().text();
  EXPECT_EQ(read_file(folder_ / "mnist/model.onnx").value(), "bytes");
  EXPECT_EQ(read_file(folder_ / "mnist/test_data_set_0/input_0.pb").value(), std::string(300000, 'x'));
}

TEST_F(Unpacked, PathsThatLeaveTheFolderAreRefused) {
  for (const std::string name : {"../evil", "a/../../evil", "/tmp/culprit-evil", ".."}) {
    pack({{"good", "bytes"}, {name, "bytes"}});
    expect_refused("it would leave the folder");
  }
  EXPECT_FALSE(fs::exists("/tmp/culprit-evil"));
}

TEST_F(Unpacked, LinksAndDevicesAreRefused) {
  pack({{"link", "", AE_IFLNK, "/etc"}, {"link/passwd", "bytes"}});
  expect_refused("it is a link or a device");
  pack({{"one", "bytes"}, {"two", "", AE_IFREG, "", "one"}});
  expect_refused("it is a link or a device");
  pack({{"pipe", "", AE_IFIFO}});
  expect_refused("it is a link or a device");
}

TEST_F(Unpacked, SizesAndNumbersHaveLimits) {
  pack({{"a", std::string(1000, 'x')}, {"b", std::string(1000, 'x')}});
  expect_refused("larger than 1.5 KB", {1500, 10});
  expect_refused("more than 1", {10000, 1});
}

TEST_F(Unpacked, DamagedOnesAreSaid) {
  pack({{"a", std::string(100000, 'x')}});
  const std::string whole = read_file(file_).value();
  ASSERT_TRUE(write_file_atomic(file_, whole.substr(0, whole.size() / 2)));
  expect_refused("damaged");
  ASSERT_TRUE(write_file_atomic(file_, "<html>not found</html>"));
  expect_refused("damaged");
}

}  // namespace
}  // namespace culprit
