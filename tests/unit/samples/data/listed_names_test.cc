// Which pictures the names in a list stand for.
#include "data/sets/listed_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::Eq;
using Found = std::optional<std::size_t>;

constexpr auto nothing = std::nullopt;

std::vector<Found> found(const std::vector<std::string_view>& entries, const std::vector<std::string_view>& pictures) {
  NameTable table;
  for (const std::string_view picture : pictures) table.add(picture);
  return entries_of_files(entries, table, "/data/set");
}

TEST(ListedNames, MayHaveFoldersBeforeThem) {
  EXPECT_THAT(
      found({"./a.png", "/data/set/b/c.png", ".\\d\\e.png", "././/f.png"}, {"a.png", "b/c.png", "d/e.png", "f.png"}),
      ElementsAre(Eq(0), Eq(1), Eq(2), Eq(3)));
  EXPECT_THAT(found({"/elsewhere/cat/1.png", "C:\\pictures\\dog\\1.png"}, {"cat/1.png", "dog/1.png"}),
              ElementsAre(Eq(0), Eq(1)));
  EXPECT_THAT(found({"val2017/x.jpg", "b.png"}, {"sub/b.png", "x.jpg"}), ElementsAre(Eq(1), Eq(0)));
}

TEST(ListedNames, MayHaveNoEndings) {
  EXPECT_THAT(found({"a", "sub/b", "v1.2", "x/c"}, {"a.png", "c.jpg", "sub/b.JPG", "v1.2.png"}),
              ElementsAre(Eq(0), Eq(3), Eq(1), Eq(2)));
  EXPECT_THAT(found({"a"}, {"a.jpg", "a.png"}), ElementsAre(nothing, nothing)) << "which one?";
  EXPECT_THAT(found({"a.jpg"}, {"a.png"}), ElementsAre(nothing)) << "another ending is another file";
}

TEST(ListedNames, StandForAPictureAlone) {
  EXPECT_THAT(found({"1.png"}, {"cat/1.png", "dog/1.png"}), ElementsAre(nothing, nothing));
  EXPECT_THAT(found({"x/1.png", "y/1.png"}, {"1.png"}), ElementsAre(nothing));
  EXPECT_THAT(found({"x/1.png", "1.png"}, {"1.png"}), ElementsAre(Eq(1))) << "its very name";
  EXPECT_THAT(found({"./1.png", "1.png"}, {"1.png"}), ElementsAre(nothing)) << "twice";
  EXPECT_THAT(found({"", "/", "..", "./"}, {"1.png"}), ElementsAre(nothing));
}

}  // namespace
}  // namespace culprit
