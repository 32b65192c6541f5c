#include "base/utf16.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

using std::string_literals::operator""s;

TEST(Utf16, BecomesUtf8InEitherOrder) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80";  // one, two, three and four bytes
  EXPECT_EQ(utf8_of_utf16("\xFF\xFE"
                          "a\0\xE9\0\xAC\x20\x3D\xD8\x00\xDE"s),
            text);
  EXPECT_EQ(utf8_of_utf16("\xFE\xFF"
                          "\0a\0\xE9\x20\xAC\xD8\x3D\xDE\x00"s),
            text);
  EXPECT_EQ(utf8_of_utf16("\xFF\xFE"s), "");
}

TEST(Utf16, IsNoTextWhereACharacterIsCut) {
  for (const std::string& bytes :
       {"a,b"s, "\xFF"s, "\xFF\xFE\x3D"s, "\xFF\xFE\x3D\xD8"s, "\xFF\xFE\x3D\xD8\x61\0"s, "\xFF\xFE\x00\xDE\x00\xDE"s})
    EXPECT_FALSE(utf8_of_utf16(bytes)) << bytes.size();
}

}  // namespace
}  // namespace culprit
