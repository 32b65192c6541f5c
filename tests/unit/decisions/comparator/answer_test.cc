// What a program may say, and what it may not.
#include "comparator/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

constexpr const char* whole =
    R"({"number": 7, "changed": true, "reference": "a cat", "variant": "a dog", "margin": 0.25,
        "metrics": {"overlap": 0.5, "words": 3}, "against_truth": {"accuracy": 1}})";

TEST(ComparatorAnswers, AllOfItIsRead) {
  const auto answer = parse_answer(whole, 7);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_TRUE(answer->change.changed);
  EXPECT_EQ(answer->change.margin, 0.25);
  EXPECT_EQ(answer->change.reference, "a cat");
  EXPECT_EQ(answer->change.variant, "a dog");
  EXPECT_EQ(answer->metrics, (NamedNumbers{{"overlap", 0.5}, {"words", 3}}));
  EXPECT_EQ(answer->against_truth, (NamedNumbers{{"accuracy", 1}}));
}

TEST(ComparatorAnswers, MarginAndMetricsMayBeLeftOut) {
  const auto answer = parse_answer(R"({"number": 0, "changed": false, "reference": "", "variant": ""})", 0);
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_EQ(answer->change.margin, 0);
  EXPECT_TRUE(answer->metrics.empty());
}

std::string complaint(const std::string& line) {
  const auto answer = parse_answer(line, 7);
  EXPECT_FALSE(answer) << line;
  return answer ? "" : answer.error().text();
}

std::string with(const std::string& rest) {
  return R"({"number": 7, "changed": true, "reference": "r", "variant": "v")" + rest + "}";
}

TEST(ComparatorAnswers, WhatIsWrongIsNamed) {
  EXPECT_THAT(complaint("Loading model..."), HasSubstr("its answer is no JSON: Loading model..."));
  EXPECT_THAT(complaint(""), HasSubstr("its answer is no JSON"));
  EXPECT_THAT(complaint("[7, true]"), HasSubstr("is no JSON object"));
  EXPECT_THAT(complaint(R"({"changed": true, "reference": "", "variant": ""})"), HasSubstr("has no 'number'"));
  EXPECT_THAT(complaint(R"({"number": 7, "reference": "", "variant": ""})"), HasSubstr("has no 'changed'"));
  EXPECT_THAT(complaint(R"({"number": 8, "changed": true, "reference": "", "variant": ""})"),
              HasSubstr("asked of number 7, and answers of 8"));
  EXPECT_THAT(complaint(R"({"number": "7", "changed": true, "reference": "", "variant": ""})"),
              HasSubstr("asked of number 7"));
  EXPECT_THAT(complaint(R"({"number": 7, "changed": 1, "reference": "", "variant": ""})"),
              HasSubstr("neither true nor false"));
  EXPECT_THAT(complaint(R"({"number": 7, "changed": true, "reference": 3, "variant": ""})"), HasSubstr("in words"));
  EXPECT_THAT(complaint(with(R"(, "metric": {})")), HasSubstr("did you mean 'metrics'?"));
  EXPECT_THAT(complaint(with(R"(, "margin": -1)")), HasSubstr("no number from 0 on"));
  EXPECT_THAT(complaint(with(R"(, "margin": "large")")), HasSubstr("no number from 0 on"));
  EXPECT_THAT(complaint(with(R"(, "metrics": [1])")), HasSubstr("no object of numbers by name"));
  EXPECT_THAT(complaint(with(R"(, "metrics": {"a b": 1})")), HasSubstr("names a metric 'a b'"));
  EXPECT_THAT(complaint(with(R"(, "metrics": {"a": "1"})")), HasSubstr("'a' in 'metrics' of its answer is no number"));
}

TEST(ComparatorAnswers, ThereIsNoNaN) {
  EXPECT_THAT(complaint(with(R"(, "margin": NaN)")), HasSubstr("NaN and Infinity are no JSON"));
  EXPECT_THAT(complaint(with(R"(, "metrics": {"a": Infinity})")), HasSubstr("NaN and Infinity are no JSON"));
  EXPECT_THAT(complaint(with(R"(, "metrics": {"a": 1e999})")), HasSubstr("NaN and Infinity are no JSON"));
  EXPECT_THAT(complaint(with(R"(, "metrics": {"a": null})")), HasSubstr("leave a metric out"));
}

TEST(ComparatorAnswers, WordsCannotSteerATerminal) {
  const auto answer = parse_answer(
      R"({"number": 7, "changed": true, "reference": "\u001b[2Jr\n", "variant": ")" + std::string(5000, 'x') + R"("})",
      7);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->change.reference, "r ");
  EXPECT_LT(answer->change.variant.size(), 160U);
}

TEST(ComparatorAnswers, AnyBytesAreTaken) {
  Random random(5);
  for (int turn = 0; turn < 3000; ++turn) {
    std::string line = whole;
    for (int i = 0; i < 3; ++i)
      line[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(line.size()) - 1))] =
          static_cast<char>(random.between(0, 255));
    const auto answer = parse_answer(line, 7);
    EXPECT_GE(answer ? answer->change.margin : 0, 0) << line;
    const auto hello = parse_hello(line);
    EXPECT_TRUE(hello || !hello.error().message.empty());
  }
  EXPECT_FALSE(parse_answer(std::string(60'000, '['), 7));
}

TEST(ComparatorAnswers, AFirstLineMayNameTheProgram) {
  EXPECT_EQ(parse_hello(R"({"name": "word error rate"})").value(), "word error rate");
  EXPECT_EQ(parse_hello(whole).value(), std::nullopt);
  EXPECT_EQ(parse_hello("no JSON").value(), std::nullopt);
  for (const char* bad : {R"({"name": ""})", R"({"name": 3})", R"({"name": "a", "version": 1})", R"({"name": "a\nb"})"})
    EXPECT_FALSE(parse_hello(bad)) << bad;
}

}  // namespace
}  // namespace culprit
