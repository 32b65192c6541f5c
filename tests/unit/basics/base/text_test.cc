#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

TEST(Error, TextJoinsMessageAndHint) {
  EXPECT_EQ((Error{ErrorKind::io, "it broke", "mend it"}.text()), "it broke. mend it");
  EXPECT_EQ((Error{ErrorKind::usage, "did you mean a?", "try it"}.text()), "did you mean a? try it");
  EXPECT_EQ((Error{ErrorKind::io, "it broke", ""}.text()), "it broke");
}

TEST(Split, KeepsEmptyPieces) {
  EXPECT_THAT(split("a,b", ','), ElementsAre("a", "b"));
  EXPECT_THAT(split(",a,,", ','), ElementsAre("", "a", "", ""));
  EXPECT_THAT(split("a", ','), ElementsAre("a"));
  EXPECT_THAT(split("", ','), IsEmpty());
}

TEST(Join, PutsSeparatorsBetween) {
  EXPECT_EQ(join(Words{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join(Words{}, ","), "");
}

TEST(Trim, TakesWhiteSpaceOffBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
}

TEST(Closest, FindsTypingMistakesAndNothingElse) {
  const Words passes{"eliminate_identity", "eliminate_deadend", "fuse_bn_into_conv", "nop"};
  EXPECT_EQ(closest("eliminate_identiy", passes), "eliminate_identity");
  EXPECT_EQ(closest("fuse_bn_into_cnov", passes), "fuse_bn_into_conv");
  EXPECT_EQ(closest("NOP", passes), "nop");
  EXPECT_EQ(closest("nop", passes), "nop");
  EXPECT_EQ(closest("quantize", passes), "");
  EXPECT_EQ(closest("", passes), "");
  EXPECT_EQ(closest("x", Words{}), "");
}

TEST(Closest, PrefersTheNearest) {
  EXPECT_EQ(closest("checks", Words{"cheeks", "check", "chick"}), "cheeks");
  EXPECT_EQ(closest("form", Words{"from", "farm"}), "from");  // a swap is one mistake; the first of equals wins
}

TEST(HumanBytes, PowersOfAThousand) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(26'000), "26.0 KB");
  EXPECT_EQ(human_bytes(999'949), "999.9 KB");
  EXPECT_EQ(human_bytes(999'950), "1.0 MB");  // not 1000.0 KB
  EXPECT_EQ(human_bytes(1'234'000'000), "1.2 GB");
  EXPECT_EQ(human_bytes(std::numeric_limits<std::uint64_t>::max()), "18.4 EB");
}

TEST(HumanSeconds, PicksTheUnit) {
  EXPECT_EQ(human_seconds(0), "<1 ms");
  EXPECT_EQ(human_seconds(0.0001), "<1 ms");
  EXPECT_EQ(human_seconds(0.008), "8 ms");
  EXPECT_EQ(human_seconds(0.9996), "1.0 s");
  EXPECT_EQ(human_seconds(1.44), "1.4 s");
  EXPECT_EQ(human_seconds(59.96), "1 m 00 s");
  EXPECT_EQ(human_seconds(125), "2 m 05 s");
  EXPECT_EQ(human_seconds(3599.7), "1 h 00 m");
  EXPECT_EQ(human_seconds(3700), "1 h 02 m");
  EXPECT_EQ(human_seconds(-1), "?");
  EXPECT_EQ(human_seconds(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(Printable, LeavesTextInAnyScriptAlone) {
  EXPECT_EQ(printable("plain"), "plain");
  EXPECT_EQ(printable("naïve Größe 模型 🙂"), "naïve Größe 模型 🙂");
}

TEST(Printable, DisarmsEscapesAndOtherControls) {
  EXPECT_EQ(printable("\x1b[1;31mred\x1b[0m"), "red");
  EXPECT_EQ(printable("\x1b]0;title\x07, \x1b[31 \x1b["), "?]0;title?, ?[31 ?[")
      << "no control sequence, or not all of it";
  EXPECT_EQ(printable(std::string_view("a\0b\x7f\b", 5)), "a?b??");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "?2J");  // U+009B begins an escape sequence of its own
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a?b");  // U+202E turns what follows around
  EXPECT_EQ(printable("a\rb\tc"), "a?b c");
}

TEST(Printable, ReplacesWhatIsNotUtf8ByteByByte) {
  EXPECT_EQ(printable("a\xff\xfe"), "a??");
  EXPECT_EQ(printable("\xc3"), "?");                 // cut off
  EXPECT_EQ(printable("\xc0\xaf"), "??");            // overlong '/'
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");       // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");  // past U+10FFFF
  EXPECT_EQ(printable("\xe2\x82z"), "??z");
}

TEST(Printable, LinesAreOneUnlessAskedOtherwise) {
  EXPECT_EQ(printable("a\nb\r\nc"), "a b c");
  EXPECT_EQ(printable("a\nb\r\nc", 100, false), "a\nb\nc");
}

TEST(Printable, CutsByCharactersNotBytes) {
  EXPECT_EQ(printable("äöü", 3), "äöü");
  EXPECT_EQ(printable("äöüx", 3), "äö…");
  EXPECT_EQ(printable("abc", 1), "…");
  EXPECT_EQ(printable("abc", 0), "");
}

TEST(ParseBytes, UnitsOfBothKinds) {
  EXPECT_EQ(parse_bytes("512MB"), 512e6);
  EXPECT_EQ(parse_bytes("512 mb"), 512e6);
  EXPECT_EQ(parse_bytes("2G"), 2e9);
  EXPECT_EQ(parse_bytes("1.5GiB"), 1.5 * 1024 * 1024 * 1024);
  EXPECT_EQ(parse_bytes("64KiB"), 65536);
  EXPECT_EQ(parse_bytes(" 1000000 "), 1e6);
  EXPECT_EQ(parse_bytes("7B"), 7);
  EXPECT_EQ(parse_bytes("0"), 0);
}

TEST(ParseSeconds, Units) {
  EXPECT_EQ(parse_seconds("30"), 30);
  EXPECT_EQ(parse_seconds("30s"), 30);
  EXPECT_EQ(parse_seconds("2m"), 120);
  EXPECT_EQ(parse_seconds("500ms"), 0.5);
  EXPECT_EQ(parse_seconds("1h"), 3600);
  EXPECT_EQ(parse_seconds("1.5 min"), 90);
}

TEST(Parse, NonsenseIsNegative) {
  for (const char* text :
       {"", " ", "MB", "x", "-1", "+1", "1 2", "1XB", "1MBs", "inf", "nan", "1e6", "0x10", ".", "1..5"}) {
    EXPECT_LT(parse_bytes(text), 0) << text;
    EXPECT_LT(parse_seconds(text), 0) << text;
  }
  EXPECT_LT(parse_bytes(std::string(400, '9')), 0);
  EXPECT_LT(parse_seconds("5GB"), 0);
  EXPECT_LT(parse_bytes("5h"), 0);
}

TEST(ReplaceAll, EveryPlace) {
  EXPECT_EQ(replace_all("{step} and {step}", "{step}", "a"), "a and a");
  EXPECT_EQ(replace_all("aaa", "a", ""), "");
  EXPECT_EQ(replace_all("nothing", "{step}", "a"), "nothing");
  EXPECT_EQ(replace_all("", "a", "b"), "");
}

TEST(ReplaceAll, WhatWasPutInIsLeft) {
  EXPECT_EQ(replace_all("it's", "'", "'\\''"), "it'\\''s");
  EXPECT_EQ(replace_all("aa", "a", "aa"), "aaaa");
}

TEST(QuotedForShell, IsOneWordWhateverIsInIt) {
  EXPECT_EQ(quoted_for_shell(""), "''");
  EXPECT_EQ(quoted_for_shell("a b; $c"), "'a b; $c'");
  EXPECT_EQ(quoted_for_shell("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace culprit
