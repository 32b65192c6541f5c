#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class PathInsideTest : public ::testing::Test {
 protected:
  PathInsideTest() {
    fs::create_directories(root_ / "sub" / "deep");
    fs::create_directories(outer_.path() / "other");
    std::ofstream(outer_.path() / "secret") << "secret";
  }
  std::string complaint(std::string_view relative) const {
    const auto path = path_inside(root_, relative);
    return path ? "allowed" : path.error().text();
  }
  TemporaryFolder outer_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-path-test-").value();
  fs::path root_ = outer_.path() / "root";
};

TEST_F(PathInsideTest, PathsInsideAreJoined) {
  EXPECT_EQ(path_inside(root_, "weights.bin").value(), root_ / "weights.bin");  // need not exist
  EXPECT_EQ(path_inside(root_, "sub/deep/w").value(), root_ / "sub" / "deep" / "w");
  EXPECT_EQ(path_inside(root_, "./sub/../w").value(), root_ / "./sub/../w");
  EXPECT_EQ(path_inside(root_, "..w").value(), root_ / "..w");  // only a name
  EXPECT_TRUE(path_inside(outer_.path() / "not there yet", "w"));
}

TEST_F(PathInsideTest, ClimbingOutIsRefused) {
  for (const char* path :
       {"..", "../secret", "sub/../../secret", "sub/../../root/w", "./../root/w", "missing/../../x"}) {
    EXPECT_THAT(complaint(path), HasSubstr("climbs out")) << path;
  }
  EXPECT_EQ(path_inside(root_, "../secret").error().kind, ErrorKind::bad_input);
}

TEST_F(PathInsideTest, AbsoluteEmptyAndCutPathsAreRefused) {
  EXPECT_THAT(complaint("/etc/passwd"), HasSubstr("is absolute"));
  EXPECT_THAT(complaint((root_ / "w").native()), HasSubstr("is absolute"));
  EXPECT_THAT(complaint(""), HasSubstr("is empty"));
  EXPECT_THAT(complaint(std::string_view("w\0/../../x", 10)), HasSubstr("NUL"));
}

TEST_F(PathInsideTest, LinksOfAHubsCacheLeadToItsBlobs) {
  const fs::path snapshot = root_ / "snapshots" / "0a1b" / "onnx";
  fs::create_directories(snapshot);
  fs::create_directories(root_ / "blobs" / "deep");
  fs::create_directories(outer_.path() / "blobs");
  fs::create_symlink("../../../blobs/77f0", snapshot / "dangling");
  for (const char* blob : {"blobs/77f1", "blobs/deep/77f2"}) std::ofstream(root_ / blob) << "weights";
  std::ofstream(outer_.path() / "blobs" / "77f3") << "secret";
  fs::create_symlink("../../../blobs/77f1", snapshot / "model.data");
  fs::create_symlink("../../../blobs/deep/77f2", snapshot / "deep");
  fs::create_symlink("../../../../blobs/77f3", snapshot / "other");
  fs::create_symlink("../../../../secret", snapshot / "secret");
  EXPECT_TRUE(path_inside(snapshot, "model.data"));
  EXPECT_TRUE(path_inside(snapshot.parent_path(), "onnx/model.data"));
  for (const char* refused : {"deep", "other", "secret", "dangling"}) EXPECT_FALSE(path_inside(snapshot, refused));
  EXPECT_FALSE(path_inside(snapshot, "model.data/../../../../secret"));
}

TEST_F(PathInsideTest, LinksThatLeaveAreRefused) {
  fs::create_symlink("../secret", root_ / "file");
  fs::create_symlink(outer_.path() / "other", root_ / "folder");
  fs::create_symlink("folder", root_ / "chain");
  fs::create_symlink("/", root_ / "slash");
  for (const char* path : {"file", "folder/w", "folder", "chain/w", "slash/etc/passwd", "sub/../file"}) {
    EXPECT_THAT(complaint(path), HasSubstr("symbolic link that leaves")) << path;
  }
}

TEST_F(PathInsideTest, BrokenAndCircularLinksAreRefused) {
  fs::create_symlink("../not there", root_ / "broken");  // writing to it would make a file outside
  fs::create_symlink("loop", root_ / "loop");
  EXPECT_THAT(complaint("broken"), HasSubstr("broken symbolic link"));
  EXPECT_THAT(complaint("loop/x"), HasSubstr("broken symbolic link"));
}

TEST_F(PathInsideTest, LinksThatStayAreFine) {
  fs::create_symlink("sub", root_ / "inner");
  fs::create_symlink(root_ / "sub" / "deep", root_ / "absolute");
  EXPECT_TRUE(path_inside(root_, "inner/w"));
  EXPECT_TRUE(path_inside(root_, "absolute/w"));
  EXPECT_TRUE(path_inside(root_, "absolute/../w"));  // the system goes to sub/w
  EXPECT_THAT(complaint("inner/../../secret"), HasSubstr("climbs out"));
}

TEST_F(PathInsideTest, TheFolderItselfMayBeALink) {
  fs::create_symlink(root_, outer_.path() / "alias");
  EXPECT_TRUE(path_inside(outer_.path() / "alias", "sub/w"));
  EXPECT_FALSE(path_inside(outer_.path() / "alias", "../secret"));
}

TEST_F(PathInsideTest, ASiblingWithTheSamePrefixIsOutside) {
  fs::create_directories(outer_.path() / "root2");
  fs::create_symlink("../root2", root_ / "sibling");
  EXPECT_THAT(complaint("sibling/w"), HasSubstr("leaves"));
}

}  // namespace
}  // namespace culprit
