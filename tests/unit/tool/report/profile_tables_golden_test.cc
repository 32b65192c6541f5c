// A profile as Markdown and as CSV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "golden.h"
#include "report/markdown_parts.h"
#include "report/profile_csv.h"
#include "report/profile_markdown.h"
#include "sample_profiles.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Table = std::vector<std::vector<std::string>>;

/// What a reader of RFC 4180 makes of it.
Table parsed(const std::string& csv) {
  Table table = {{""}};
  bool is_quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (is_quoted && c == '"' && i + 1 < csv.size() && csv[i + 1] == '"') {
      table.back().back() += csv[++i];
    } else if (c == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && c == ',') {
      table.back().emplace_back();
    } else if (!is_quoted && csv.substr(i, 2) == "\r\n") {
      table.push_back({""});
      ++i;
    } else {
      table.back().back() += c;
    }
  }
  EXPECT_FALSE(is_quoted);
  EXPECT_THAT(table.back(), ElementsAre("")) << "it ends with CRLF";
  table.pop_back();
  return table;
}

std::string at(const Table& table, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < table[0].size(); ++i)
    if (table[0][i] == column) return table[row].at(i);
  return "there is no column " + column;
}

TEST(ProfileCsv, SamplesHaveARowEach) {
  ProfileReport report = hostile_profile();
  report.entries[3].samples = {{1, {0.25, 0.5}}, {4, {0.125}}};
  const Table table = parsed(samples_to_csv(report));
  ASSERT_EQ(table.size(), 4U);
  EXPECT_THAT(table[0], ElementsAre("entry", "block", "seconds"));
  EXPECT_THAT(table[1], ElementsAre(HasSubstr("HYPERLINK"), "1", "0.25"));
  EXPECT_THAT(table[3], ElementsAre(HasSubstr("'="), "4", "0.125"));
}

TEST(ProfileMarkdown, WhatIsNotCountedStandsBesideTheFigures) {
  ProfileReport report = levels_profile();
  report.entries[1].graph.nodes_uncounted = 3;
  report.entries[3].graph.flops.reset();
  report.entries[3].graph.nodes_uncounted = 1;
  report.entries[4].graph.moved = 160;
  report.entries[3].nodes->baseline_other_seconds = 0.0003;
  const std::string text = to_markdown(report);
  EXPECT_THAT(text, HasSubstr("| 213 M + 3 nodes not counted | 41.0 MB + 3 nodes not counted |"));
  EXPECT_THAT(text, HasSubstr("| 1 node not counted |"));
  EXPECT_THAT(text, HasSubstr("| 160 B |"));
  EXPECT_THAT(text, HasSubstr("between them; of the baseline's nodes 300 us stand against none of these)"));
}

TEST(ProfileMarkdown, IsAsItWas) {
  expect_golden("profile_levels.md",
                to_markdown(levels_profile(), {{"Time against the baseline", "figures/ratio.svg"}}));
  expect_golden("profile_hostile.md", to_markdown(hostile_profile()));
  expect_golden("profile_single.md", to_markdown(single_profile()));
  expect_golden("profile_empty.md", to_markdown(empty_profile()));
}

TEST(ProfileMarkdown, ASweepIsATableAndWhatFailedIsSaidBelow) {
  const std::string text = to_markdown(timed_profile());
  EXPECT_THAT(text, HasSubstr("| `off` | 1 | 16 | 21.2 ms | 25.4 ms | 27.6 ms | 755 |"));
  EXPECT_THAT(text, HasSubstr("| `off` | 2 | 4 | 3.40 ms | 4.08 ms | 4.42 ms | **1.18 k** |"));
  EXPECT_THAT(text, HasSubstr("| `all` | 2 | 16 | | | | **FAILED** |"));
  EXPECT_THAT(text, HasSubstr("- `all`, batch 16, 2 threads: Reshape: the input tensor cannot be reshaped"));
}

TEST(ProfileMarkdown, NothingInANameBecomesMarkup) {
  EXPECT_EQ(markdown_text("a|b <b> *c* @me #1"), "a&#124;b &lt;b&gt; &#42;c&#42; @<!-- -->me #<!-- -->1");
  EXPECT_EQ(markdown_text("snake_case _emphasis_"), "snake_case &#95;emphasis&#95;");
  EXPECT_EQ(markdown_text("two\nlines"), "two lines");
  EXPECT_EQ(markdown_text("https://x.example"), "https:<!-- -->//x.example");
  EXPECT_EQ(markdown_code("Conv_0"), "`Conv_0`");
  EXPECT_EQ(markdown_code("a`b|c"), "<code>a&#96;b&#124;c</code>");
  EXPECT_EQ(markdown_code(""), "");
  const std::string text = to_markdown(hostile_profile());
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("@somebody")));
  EXPECT_THAT(text, Not(HasSubstr("[x](")));
}

TEST(ProfileMarkdown, EveryRowOfATableHasAsManyCells) {
  for (const ProfileReport& report : {levels_profile(), hostile_profile(), crowded_profile(), single_profile()}) {
    std::ptrdiff_t bars = 0;
    for (const std::string& line : split(to_markdown(report), '\n')) {
      const std::ptrdiff_t here = line.starts_with('|') ? std::ranges::count(line, '|') : 0;
      if (here > 0 && bars > 0) {
        EXPECT_EQ(here, bars) << line;
      }
      bars = here;
    }
  }
}

TEST(ProfileCsv, IsAsItWas) {
  expect_golden("profile_levels.csv", to_csv(levels_profile()));
  expect_golden("profile_levels_nodes.csv", nodes_to_csv(levels_profile()));
  expect_golden("profile_hostile.csv", to_csv(hostile_profile()));
  expect_golden("profile_hostile_nodes.csv", nodes_to_csv(hostile_profile()));
}

TEST(ProfileCsv, HasARowForEachEntryAndAsManyCellsAsColumns) {
  for (const ProfileReport& report :
       {levels_profile(), single_profile(), hostile_profile(), crowded_profile(), empty_profile()}) {
    const Table table = parsed(to_csv(report));
    EXPECT_EQ(table.size(), report.entries.size() + 1);
    for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
    for (const auto& row : parsed(nodes_to_csv(report))) EXPECT_EQ(row.size(), 14U);
  }
}

TEST(ProfileCsv, ASweepHasARowForEachSetting) {
  const Table table = parsed(sweep_to_csv(*timed_profile().sweep));
  ASSERT_EQ(table.size(), 13U);
  for (const auto& row : table) EXPECT_EQ(row.size(), table[0].size());
  EXPECT_EQ(at(table, 5, "threads"), "2");
  EXPECT_EQ(at(table, 5, "batch"), "4");
  EXPECT_NEAR(std::stod(at(table, 5, "seconds_p50")), 0.0034, 1e-12);
  EXPECT_NEAR(std::stod(at(table, 5, "samples_per_second")), 4 / 0.0034, 1e-6);
  EXPECT_EQ(at(table, 6, "samples_per_second"), "");
  EXPECT_THAT(at(table, 6, "failure"), HasSubstr("Reshape"));
}

TEST(ProfileCsv, NamesSurviveAndFormulasDoNot) {
  const Table table = parsed(to_csv(hostile_profile()));
  EXPECT_EQ(at(table, 1, "entry"), "<script>alert(\"1\")</script>");
  EXPECT_EQ(at(table, 4, "entry"), "'=HYPERLINK(\"x\"),;\xF0\x9F\x94\xA5") << "no spreadsheet computes it";
  EXPECT_EQ(at(table, 5, "recipe"), "'--> <b>;x`y");
  const Table nodes = parsed(nodes_to_csv(hostile_profile()));
  EXPECT_EQ(at(nodes, 8, "node"), "a, \"b\"\nc\nd") << "a newline stays in its cell";
}

TEST(ProfileCsv, WhatWasNotMeasuredIsEmpty) {
  const Table table = parsed(to_csv(levels_profile()));
  EXPECT_EQ(at(table, 3, "verdict"), "failed");
  for (const char* column : {"ratio", "seconds_median", "throughput_per_second", "memory_run_peak_bytes", "device",
                             "quality_changed", "load_seconds_p90", "seconds_p99", "first_run_seconds_median"})
    EXPECT_EQ(at(table, 3, column), "") << column;
  EXPECT_EQ(at(table, 4, "ratio_high"), "1.27");
  EXPECT_NEAR(std::stod(at(table, 4, "seconds_p99")), 0.0189, 1e-12);
  EXPECT_EQ(at(table, 4, "quality_against_labels"), "top1=0.705");
}

TEST(ProfileCsv, TellsWhatTheSameWorkTookBefore) {
  const Table nodes = parsed(nodes_to_csv(levels_profile()));
  EXPECT_EQ(at(nodes, 8, "node"), "Conv_0_nchwc");
  EXPECT_NEAR(std::stod(at(nodes, 8, "baseline_seconds")), 0.0041 + 0.0021 + 0.001, 1e-12);
  EXPECT_NEAR(std::stod(at(nodes, 8, "flops_per_second")), 1.2e7 / 0.0102, 1);
  EXPECT_NEAR(std::stod(at(nodes, 8, "bytes_per_second")), 1e6 / 0.0102, 1);
  EXPECT_EQ(at(nodes, 8, "flops_per_byte"), "12");
  EXPECT_EQ(at(nodes, 10, "baseline_seconds"), "") << "what no node of the original does";
}

}  // namespace
}  // namespace culprit
