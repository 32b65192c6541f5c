// One word that is another is seen by the right measure, and copies are perfect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/answer_score.h"
#include "text/bleu.h"
#include "text/error_rate.h"
#include "text/unicode.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::vector<std::string>;

TEST(AnswerScores, CopiesArePerfect) {
  const AnswerScore score = score_of_answer("Denver Broncos", Texts{"the Denver Broncos!", "Carolina"});
  EXPECT_TRUE(score.exact);
  EXPECT_EQ(score.f1, 1);
}

TEST(AnswerScores, AWordMoreIsNotExact) {
  const AnswerScore score = score_of_answer("Denver Broncos team", Texts{"Denver Broncos"});
  EXPECT_FALSE(score.exact);
  EXPECT_DOUBLE_EQ(score.f1, 0.8) << "two of three words, two of two";
}

TEST(AnswerScores, NothingIsRightWhereThereIsNoAnswer) {
  EXPECT_TRUE(score_of_answer("", Texts{}).exact);
  EXPECT_EQ(score_of_answer("", Texts{"the"}).f1, 1);
  EXPECT_FALSE(score_of_answer("Denver", Texts{}).exact);
  EXPECT_EQ(score_of_answer("Denver", Texts{}).f1, 0);
}

TEST(ErrorRates, CountWordsAndCharacters) {
  const ErrorCount words = word_errors("the cat sat", "the hat sat down");
  EXPECT_EQ(words.errors, 2);
  EXPECT_EQ(words.length, 3);
  const ErrorCount characters = character_errors("cat", " hat");
  EXPECT_EQ(characters.errors, 1);
  EXPECT_EQ(characters.length, 3);
  EXPECT_EQ(word_errors("same words", "same words").rate(), 0);
  EXPECT_EQ(word_errors("", "what was that").rate(), 3) << "nothing was said";
  EXPECT_EQ(word_errors("", "").rate(), 0);
}

TEST(Bleu, OfACopyIsAHundred) {
  CorpusBleu bleu;
  bleu.add("it is a guide to action", Texts{"another text", "it is a guide to action"});
  EXPECT_DOUBLE_EQ(bleu.score().value(), 100);
}

TEST(Bleu, IsAbsentBelowFourTokens) {
  CorpusBleu bleu;
  bleu.add("a short one", Texts{"a short one"});
  EXPECT_FALSE(bleu.score());
  bleu.add("and a longer one, too", Texts{"and a longer one, too"});
  EXPECT_DOUBLE_EQ(bleu.score().value(), 100);
}

TEST(Bleu, OfNothingInCommonIsZero) {
  CorpusBleu bleu;
  bleu.add("one two three four", Texts{"five six seven eight"});
  EXPECT_EQ(bleu.score(), 0.0);
}

TEST(UnicodeText, BytesThatAreNoTextAreCharactersOfTheirOwn) {
  EXPECT_THAT(characters_of("a\xff\xc3\xa9"), ElementsAre(U'a', char32_t{0x1100ff}, U'\u00e9'));
  EXPECT_FALSE(is_word(char32_t{0x1100ff}));
  EXPECT_FALSE(is_space(char32_t{0x1100ff}));
  EXPECT_EQ(lower_text(U"\u00c9\u0130\u0416_A\u01c5\U00010400"), U"\u00e9i\u0307\u0436_a\u01c6\U00010428");
}

TEST(UnicodeText, NothingHasNoPieces) {
  EXPECT_THAT(split_at_spaces(U" \u3000\t"), IsEmpty());
  EXPECT_THAT(split_at_spaces(U""), IsEmpty());
  EXPECT_EQ(strip_spaces(U"\n"), U"");
  EXPECT_THAT(bleu_tokens(""), IsEmpty());
}

TEST(Bleu, PartsOfACorpusAddUp) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> sentences{
      {"the cat sat on the mat", {"the cat sat on a mat", "a cat is on the mat"}},
      {"one two three", {"one two four"}},
      {"", {"nothing was said here"}},
      {"all of it is right here", {"all of it is right here"}}};
  CorpusBleu whole, merged;
  for (const auto& [sentence, references] : sentences) {
    whole.add(sentence, references);
    CorpusBleu part;
    part.add(sentence, references);
    merged.merge(CorpusBleu::of(part.counts()));
  }
  EXPECT_EQ(whole.counts(), merged.counts());
  EXPECT_EQ(whole.score(), merged.score());
}

}  // namespace
}  // namespace culprit
