#include "cli/flag_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;

TEST(Values, WholeNumbersAreWhole) {
  EXPECT_EQ(*whole_number("--n", "12", 1, 12), 12);
  for (const char* text :
       {"", "x", "1.5", "1e3", "0x10", " 1", "1 ", "+1", "99999999999999999999", "nan", "--", "0", "13", "-3"})
    EXPECT_FALSE(whole_number("--n", text, 1, 12)) << text;
  EXPECT_EQ(whole_number("--n", "0", 1, 12).error().text(), "--n 0: too small. give a number from 1 to 12");
  EXPECT_EQ(whole_number("--n", "x", 1, 12).error().kind, ErrorKind::usage);
  EXPECT_EQ(whole_number("--n", "99999999999999999999", 1, 12).error().text(),
            "--n 99999999999999999999: too large. give a number from 1 to 12");
  EXPECT_THAT(whole_number("--n", "-99999999999999999999", 1, 12).error().text(), HasSubstr("too small"));
  EXPECT_THAT(whole_number("--n", "99999999999999999999x", 1, 12).error().text(), HasSubstr("not a whole number"));
}

TEST(Values, SeedsGoToTheEndOf64Bits) {
  EXPECT_EQ(*seed_number("--seed", "18446744073709551615"), UINT64_MAX);
  for (const char* text : {"-1", "18446744073709551616", "one"}) EXPECT_FALSE(seed_number("--seed", text)) << text;
}

TEST(Values, TolerancesAreFiniteAndNotNegative) {
  EXPECT_EQ(*tolerance_number("--atol", "1e-5"), 1e-5);
  EXPECT_EQ(*tolerance_number("--atol", "0"), 0);
  for (const char* text : {"nan", "NaN", "inf", "-inf", "-1e-9", "1e999", "abc", "1e-5x", "1,5"})
    EXPECT_FALSE(tolerance_number("--atol", text)) << text;
  EXPECT_THAT(tolerance_number("--atol", "nan").error().text(), HasSubstr("--atol nan: not a finite number"));
}

TEST(Values, TimesAndSizesHaveUnits) {
  EXPECT_EQ(*duration("--timeout", "120s"), 120);
  EXPECT_EQ(*duration("--timeout", "2m"), 120);
  EXPECT_EQ(*duration("--timeout", "500ms"), 0.5);
  for (const char* text : {"0", "0s", "-1s", "s", "1x", "nan", "inf", "soon"})
    EXPECT_FALSE(duration("--timeout", text)) << text;
  EXPECT_EQ(*memory_size("--memory", "8GB"), UINT64_C(8'000'000'000));
  EXPECT_EQ(*memory_size("--memory", "1GiB"), UINT64_C(1) << 30);
  for (const char* text : {"0", "-1GB", "1KB", "GB", "8XB", "nan", "inf", "1e30", "99999999999999GB"})
    EXPECT_FALSE(memory_size("--memory", text)) << text;
}

TEST(Values, AChoiceOffersTheClosest) {
  EXPECT_EQ(*choice("--repeat", "once", {"once", "library"}), "once");
  EXPECT_THAT(choice("--repeat", "libary", {"once", "library"}).error().text(), HasSubstr("did you mean library?"));
  EXPECT_THAT(choice("--repeat", "", {"once", "library"}).error().text(), HasSubstr("give one of once, library"));
}

TEST(Values, SizesByName) {
  EXPECT_EQ(sizes_by_name("--dim", {"N=2", "a=b=3", "N=2"})->at("a=b"), 3);
  for (const char* text : {"N", "=3", "N=", "N=0", "N=-1", "N=x"}) EXPECT_FALSE(sizes_by_name("--dim", {text})) << text;
  EXPECT_THAT(sizes_by_name("--dim", {"N=2", "N=3"}).error().text(), HasSubstr("the same dimension was 2 before"));
}

}  // namespace
}  // namespace culprit
