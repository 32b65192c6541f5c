// BLEU with its interval.
#include "task/bleu_by_groups.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace culprit {
namespace {

/// So many texts from this sample on; every `wrong`-th has another end.
BleuByGroups corpus_of(std::int64_t first, std::int64_t texts, std::int64_t wrong) {
  BleuByGroups corpus;
  for (std::int64_t sample = first; sample < first + texts; ++sample) {
    const std::string start = "the cat number " + std::to_string(sample) + " sat on the ";
    corpus.add(sample, start + (sample % wrong == 0 ? "old dog" : "new mat"), std::array{start + "new mat"});
  }
  return corpus;
}

Estimate score_of(const BleuByGroups& corpus) { return corpus.score(1).value(); }

TEST(BleuByGroups, SomeWrongTextsGiveAnIntervalAroundTheScore) {
  const Estimate many = score_of(corpus_of(0, 1000, 3)), few = score_of(corpus_of(0, 50, 3));
  for (const Estimate& one : {many, few}) {
    EXPECT_LT(one.low, one.value);
    EXPECT_GT(one.high, one.value);
    EXPECT_LT(one.high, 100);
  }
  EXPECT_LT(many.high - many.low, few.high - few.low);
  EXPECT_LT(many.high - many.low, 2.5) << "Wilson's, of texts that are right or wrong as a whole, is 4 wide";
}

TEST(BleuByGroups, TheScoreIsThatOfTheWholeCorpus) {
  CorpusBleu whole;
  BleuByGroups corpus;
  for (std::int64_t sample = 0; sample < 40; ++sample) {
    const std::string start = "number " + std::to_string(sample * sample) + " of all: ";
    const std::array right{start + "it is a boat"};
    const std::string said = start + (sample % 4 == 0 ? "it is" : "it is a cat");
    whole.add(said, right);
    corpus.add(sample, said, right);
  }
  EXPECT_NEAR(score_of(corpus).value, whole.score().value(), 1e-9);
}

TEST(BleuByGroups, ACopyIsPerfectAsFarAsSoFewTextsCanTell) {
  const Estimate copy = score_of(corpus_of(1, 100, 1000));
  EXPECT_EQ(copy.value, 100);
  EXPECT_EQ(copy.high, 100);
  EXPECT_NEAR(copy.low, 96.3, 0.05) << "Wilson's interval of 100 of 100";
}

TEST(BleuByGroups, PartsMergeToTheSame) {
  StateWriter later;
  corpus_of(20, 30, 3).write(later);
  BleuByGroups merged = corpus_of(0, 20, 3);
  const std::string bytes = later.take();
  StateReader reader(bytes);
  merged.merge(reader);
  const Estimate parts = score_of(merged), whole = score_of(corpus_of(0, 50, 3));
  EXPECT_EQ(parts.value, whole.value);
  EXPECT_EQ(parts.low, whole.low);
  EXPECT_EQ(parts.high, whole.high);
}

TEST(BleuByGroups, BelowFourTokensNothingIsKnown) {
  BleuByGroups corpus;
  EXPECT_FALSE(corpus.score(1));
  corpus.add(0, "a cat", std::array{std::string("a cat")});
  EXPECT_FALSE(corpus.score(1));
}

}  // namespace
}  // namespace culprit
