#include "report/layout.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>

namespace culprit {
namespace {

TEST(Layout, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("ä…"), 2);
  EXPECT_EQ(display_width("名前"), 4);
  EXPECT_EQ(display_width("e\xCC\x81"), 1);  // e and a combining accent
  EXPECT_EQ(display_width("\xF0\x9F\x98\x80"), 2);
  EXPECT_EQ(display_width("\xE5\x90"), 2) << "broken UTF-8 goes byte by byte";
}

TEST(Layout, CutsInTheMiddle) {
  EXPECT_EQ(cut_middle("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_middle("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(cut_middle("名前名前", 5), "名…前");
  EXPECT_EQ(cut_middle("abc", 1), "…");
  for (int width = 1; width < 12; ++width) EXPECT_LE(display_width(cut_middle("a名bc前defghij", width)), width);
}

TEST(Layout, PathsKeepTheirEnd) {
  EXPECT_EQ(cut_path("/home/somebody/with/models/net.onnx", 20), "/home…odels/net.onnx");
  EXPECT_EQ(cut_path("net.onnx", 8), "net.onnx");
  for (int width = 1; width < 12; ++width) EXPECT_LE(display_width(cut_path("a名bc/前defghij", width)), width);
}

TEST(Layout, WrapsAtSpacesAndBreaksLongWords) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap("", 10), Lines{""});
  EXPECT_EQ(wrap("one two  three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("a abcdefgh b", 4), (Lines{"a", "abcd", "efgh", "b"}));
  EXPECT_EQ(wrap("ab", 0), (Lines{"a", "b"})) << "no width is less than one column";
}

TEST(Layout, HangsFurtherLinesUnderTheText) { EXPECT_EQ(hanging("note: ", "one two", 9), "note: one\n      two\n"); }

TEST(Layout, Pads) {
  EXPECT_EQ(pad_right("名", 4), "名  ");
  EXPECT_EQ(pad_left("1", 3), "  1");
  EXPECT_EQ(pad_left("1234", 3), "1234");
}

std::vector<std::string> words_by_bash(const std::string& command) {
  const std::string script = "set -- " + command + "\nfor word; do printf '%s\\0' \"$word\"; done";
  // Given as an argument of its own, through a pipe: no shell quotes it again.
  std::FILE* script_file = std::tmpfile();
  std::fwrite(script.data(), 1, script.size(), script_file);
  std::rewind(script_file);
  const std::string run = "bash /dev/fd/" + std::to_string(fileno(script_file));
  std::FILE* out = popen(run.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), out)) > 0;)
    text.append(buffer.data(), got);
  pclose(out);
  std::fclose(script_file);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    words.push_back(text.substr(at, text.find('\0', at) - at));
    at += words.back().size() + 1;
  }
  return words;
}

TEST(Layout, ACommandIsTheSameForTheShellHoweverItIsBroken) {
  const std::vector<std::string> words{
      "culprit",     "check",      "a b.onnx",   "it's", "$HOME",
      "--input",     "x=[1,2,3]",  "",           "*",    std::string(200, 'p'),
      "back\\slash", "esc\x1b[2J", "two\nlines", "名前", std::string(50, '\'') + " " + std::string(60, 'q'),
      "bytes\xff"};
  for (const int width : {40, 60, 80, 1000}) {
    const std::string command = shell_command(words, 4, width);
    EXPECT_EQ(words_by_bash(command), words) << command;
    std::string line;
    for (const char c : command + "\n") {
      if (c != '\n') {
        line += c;
        continue;
      }
      EXPECT_LE(display_width(line), width) << command;
      line.clear();
    }
  }
}

TEST(Layout, PlainCommandsStayPlain) {
  EXPECT_EQ(shell_command({"culprit", "check", "m.onnx", "--each", "a,b"}, 2, 80), "  culprit check m.onnx --each a,b");
}

TEST(Layout, PaintsOnlyWhereColourIsWanted) {
  EXPECT_EQ(painted("x", Ink::bad, false), "x");
  EXPECT_EQ(painted("x", Ink::plain, true), "x");
  EXPECT_EQ(painted("x", Ink::good, true), "\x1b[32mx\x1b[0m");
}

}  // namespace
}  // namespace culprit
