#include "repro/attribution.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace culprit {
namespace {

/// Rows of the table in the header, read from top to bottom: "d" differs, "a" agrees, "u" unknown, "." any.
struct Row {
  const char* seen;  ///< variant off, pair second, original second, pair deployed
  std::optional<Attribution> expected;
};

constexpr std::array<Row, 9> rows = {{{"da..", Attribution::kernel},
                                      {"ddd.", Attribution::model},
                                      {"dda.", Attribution::optimizer},
                                      {"ddu.", Attribution::optimizer},
                                      {"du..", Attribution::optimizer},
                                      {"a..d", Attribution::runtime},
                                      {"a..a", std::nullopt},
                                      {"a..u", std::nullopt},
                                      {"u...", std::nullopt}}};

bool fits(const std::string& pattern, const std::string& seen) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '.' && pattern[i] != seen[i]) return false;
  }
  return true;
}

Seen seen_as(char c) { return c == 'a' ? Seen::agrees : c == 'd' ? Seen::differs : Seen::unknown; }

TEST(Attribute, EveryCombinationIsARowOfTheTableAndOnlyOne) {
  const std::string letters = "adu";
  for (const char off : letters)
    for (const char pair : letters)
      for (const char original : letters)
        for (const char deployed : letters) {
          const std::string seen{off, pair, original, deployed};
          int matching = 0;
          for (const Row& row : rows) {
            if (!fits(row.seen, seen)) continue;
            ++matching;
            EXPECT_EQ(attribute({seen_as(off), seen_as(deployed), seen_as(pair), seen_as(original)}), row.expected)
                << seen;
          }
          EXPECT_EQ(matching, 1) << seen;
        }
}

}  // namespace
}  // namespace culprit
