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
  EXPECT_THAT(found.lines, ElementsAre(Pair(1, ElementsAre("a", "b", "c,\"d\"\ne")), Pair(3, ElementsAre("f"))));
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

TEST(Csv, TheFirstLineTellsWhatSeparates) {
  EXPECT_EQ(',', separator_in("text\na;b\n"));
  EXPECT_EQ(';', separator_in("\r\n\"a,b\";c,d\n"));
  EXPECT_EQ('\t', separator_in("a\tb,c"));
  EXPECT_EQ(',', separator_in(""));
}

TEST(Csv, EmptyLinesCountWhateverEndsThem) {
  for (const std::string_view text : {"a\n\nb\n", "a\r\n\r\nb\r\n", "a\r\rb\r"})
    EXPECT_THAT(read(text).lines, ElementsAre(Pair(1, ElementsAre("a")), Pair(3, ElementsAre("b")))) << text;
  EXPECT_THAT(read("").lines, IsEmpty());
}

TEST(Csv, AQuoteInTheMiddleOfAFieldIsACharacter) {
  const Read found = read("5\" screen,pos\nthe \"best\",\"two\nlines\"\n6\",\"neg\" \n");
  EXPECT_FALSE(found.broken);
  EXPECT_THAT(found.lines,
              ElementsAre(Pair(1, ElementsAre("5\" screen", "pos")), Pair(2, ElementsAre("the \"best\"", "two\nlines")),
                          Pair(4, ElementsAre("6\"", "neg"))));
}

TEST(Csv, AQuoteThatDoesNotEndIsABreakBehindWhatWasRead) {
  const Read found = read("a,b\n\"c\nd,e");
  ASSERT_TRUE(found.broken);
  EXPECT_EQ(found.broken->line, 2U);
  EXPECT_EQ(found.broken->what, "a field begins with a quote, and no quote ends it");
  EXPECT_THAT(found.lines, ElementsAre(Pair(1, ElementsAre("a", "b"))));
  EXPECT_TRUE(read("a,\"b\"c\n").broken);
}

TEST(Csv, BrokenLinesAreLostAlone) {
  Lines lines;
  std::vector<std::size_t> lost;
  const std::string text = "a,1\r\n\"b,2\r\nc,\"3\n4\"\n\"d\"e,5\n\nf,\"\"\"6\ng,7";
  read_csv_lines(
      text, {}, [&](const CsvFields& fields, std::size_t line) { lines.emplace_back(line, fields); },
      [&](const CsvBreak& broken) { lost.push_back(broken.line); });
  EXPECT_THAT(lines, ElementsAre(Pair(1, ElementsAre("a", "1")), Pair(3, ElementsAre("c", "3\n4")),
                                 Pair(8, ElementsAre("g", "7"))));
  EXPECT_THAT(lost, ElementsAre(2, 5, 7));
}

TEST(Csv, WithoutQuotesEachIsACharacter) {
  Lines lines;
  read_csv_lines(
      "\"a\t1\nb\"\t\"2\"\n", {'\t', false},
      [&](const CsvFields& fields, std::size_t line) { lines.emplace_back(line, fields); },
      [](const CsvBreak& broken) { ADD_FAILURE() << broken.what; });
  EXPECT_THAT(lines, ElementsAre(Pair(1, ElementsAre("\"a", "1")), Pair(2, ElementsAre("b\"", "\"2\""))));
}

TEST(Csv, BlanksBelongToAFieldWhereTheyAreKept) {
  const auto fields_of = [](std::string_view text, CsvForm form) {
    CsvFields read;
    read_csv_lines(
        text, form, [&](const CsvFields& fields, std::size_t) { read = fields; }, [](const CsvBreak&) {});
    return read;
  };
  CsvForm form;
  form.keeps_blanks = true;
  EXPECT_THAT(fields_of("  two ,\tb,  ,\n", form), ElementsAre("  two ", "\tb", "  ", ""));
  EXPECT_THAT(fields_of("a, \" b\"\n", form), ElementsAre("a", " b")) << "quotes count behind them as before";
  EXPECT_THAT(fields_of("  two ,\tb,  ,\n", {}), ElementsAre("two", "b", "", ""));
}

TEST(Csv, ManyQuotesThatDoNotEndAreReadInTime) {
  std::string text;
  for (int i = 0; i < 40000; ++i) text += "c\",d,\"e\n";
  std::size_t lost = 0;
  read_csv_lines(
      text, {}, [](const CsvFields& /*fields*/, std::size_t /*line*/) {}, [&](const CsvBreak& /*at*/) { ++lost; });
  EXPECT_EQ(lost, 40000U);
}

}  // namespace
}  // namespace culprit
