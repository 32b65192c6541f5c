// Measures of text, against sacrebleu, jiwer and SQuAD's script.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/golden.h"
#include "text/answer_score.h"
#include "text/bleu.h"
#include "text/error_rate.h"
#include "text/unicode.h"

namespace culprit {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

TEST(TextGolden, AnswersAreAsSquadsScriptScoresThem) {
  const json cases = golden("text", "answers");
  ASSERT_EQ(cases.size(), 300U);
  for (const json& one : cases) {
    const std::string given = one["given"];
    EXPECT_EQ(normal_answer(given), characters_of(one["normal"].get<std::string>())) << given;
    const AnswerScore score = score_of_answer(given, one["right"].get<Texts>());
    EXPECT_EQ(score.exact, one["exact"] == 1) << one;
    EXPECT_NEAR(score.f1, one["f1"].get<double>(), golden_error) << one;
  }
}

TEST(TextGolden, ErrorRatesAreAsJiwerCountsThem) {
  const json cases = golden("text", "rates");
  ASSERT_EQ(cases.size(), 60U);
  for (const json& one : cases) {
    const auto said = one["said"].get<Texts>(), heard = one["heard"].get<Texts>();
    ErrorCount words, characters;
    for (std::size_t i = 0; i < said.size(); ++i) {
      words += word_errors(said[i], heard[i]);
      characters += character_errors(said[i], heard[i]);
    }
    EXPECT_NEAR(words.rate(), one["wer"].get<double>(), golden_error) << one;
    EXPECT_NEAR(characters.rate(), one["cer"].get<double>(), golden_error) << one;
  }
}

TEST(TextGolden, TokensAreThoseOfSacrebleu) {
  const json cases = golden("text", "tokens");
  ASSERT_EQ(cases.size(), 200U);
  for (const json& one : cases) {
    std::vector<std::u32string> wanted;
    for (const json& token : one["tokens"]) wanted.push_back(characters_of(token.get<std::string>()));
    EXPECT_EQ(bleu_tokens(one["line"].get<std::string>()), wanted) << one;
  }
}

TEST(TextGolden, BleuIsSacrebleus) {
  const json cases = golden("text", "bleu");
  ASSERT_EQ(cases.size(), 60U);
  int absent = 0;
  for (const json& one : cases) {
    CorpusBleu bleu;
    for (std::size_t i = 0; i < one["said"].size(); ++i)
      bleu.add(one["said"][i].get<std::string>(), one["right"][i].get<Texts>());
    if (one["runs_of_four"] == 0) {
      ++absent;
      EXPECT_EQ(bleu.score(), std::nullopt) << one;
      continue;
    }
    ASSERT_TRUE(bleu.score()) << one;
    EXPECT_NEAR(*bleu.score(), one["bleu"].get<double>(), golden_error) << one;
  }
  EXPECT_GT(absent, 2);
}

}  // namespace
}  // namespace culprit
