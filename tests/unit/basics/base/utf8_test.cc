#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace culprit {
namespace {

struct Row {
  const char* text;
  char32_t value;
  std::size_t length;
};

TEST(FirstCodePoint, OfEveryLength) {
  for (const Row& row : {Row{"ab", U'a', 1}, Row{"\xC3\xA4z", U'\u00e4', 2}, Row{"\xE5\x90\x8Dz", U'\u540d', 3},
                         Row{"\xF0\x9F\x98\x80z", U'\U0001F600', 4}, Row{"\xF4\x8F\xBF\xBF", 0x10FFFF, 4}}) {
    const CodePoint read = first_code_point(row.text);
    EXPECT_EQ(read.value, row.value) << row.text;
    EXPECT_EQ(read.length, row.length) << row.text;
    std::string written;
    append_utf8(written, row.value);
    EXPECT_EQ(written, std::string(row.text).substr(0, row.length));
  }
}

TEST(FirstCodePoint, WhatIsNoUtf8HasNoLength) {
  for (const char* text : {"\x80", "\xC3", "\xC3z", "\xE5\x90", "\xF0\x9F\x98", "\xFF",  // alone or cut off
                           "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xF0\x80\x80\x80",   // overlong
                           "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"})      // surrogates, too large
    EXPECT_EQ(first_code_point(text).length, 0) << text;
}

}  // namespace
}  // namespace culprit
