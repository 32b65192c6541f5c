#include "base/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Lines = std::vector<std::pair<std::size_t, CsvFields>>;

struct Read {
  Lines lines;
  std::optional<CsvBreak> broken;
};

Read read(std::string_view text) {
  Read read;
  read.broken =
      read_csv(text, [&](const CsvFields& fields, std::size_t line) { read.lines.emplace_back(line, fields); });
  return read;
}

TEST(Csv, FieldsMayHoldWhatSeparatesThem) {
  const Read found = read("a, b ,\"c,\"\"d\"\"\ne\"\nf");
  EXPECT_FALSE(found.broken);
  EXPECT_THAT(found.lines, ElementsAre(Pair(1, ElementsAre("a", "b", "c,\"d\"\ne")), Pair(2, ElementsAre("f"))));
}

TEST(Csv, AnotherCharacterMaySeparate) {
  for (const char separator : {';', '\t'}) {
    Lines lines;
    const std::string text = std::string("a, b") + separator + "\"c" + separator + "d\"\n";
    EXPECT_FALSE(read_csv(
        text, [&](const CsvFields& fields, std::size_t line) { lines.emplace_back(line, fields); }, separator));
    EXPECT_THAT(lines, ElementsAre(Pair(1, ElementsAre("a, b", std::string("c") + separator + "d"))));
  }
}

TEST(Csv, EmptyLinesCountWhateverEndsThem) {
  for (const std::string_view text : {"a\n\nb\n", "a\r\n\r\nb\r\n", "a\r\rb\r"})
    EXPECT_THAT(read(text).lines, ElementsAre(Pair(1, ElementsAre("a")), Pair(3, ElementsAre("b")))) << text;
  EXPECT_THAT(read("").lines, IsEmpty());
}

TEST(Csv, AQuoteThatDoesNotEndIsABreakBehindWhatWasRead) {
  const Read found = read("a,b\n\"c");
  ASSERT_TRUE(found.broken);
  EXPECT_EQ(found.broken->line, 2U);
  EXPECT_NE(found.broken->what, "");
  EXPECT_THAT(found.lines, ElementsAre(Pair(1, ElementsAre("a", "b"))));
  EXPECT_TRUE(read("a,\"b\"c\n").broken);
}

}  // namespace
}  // namespace culprit
