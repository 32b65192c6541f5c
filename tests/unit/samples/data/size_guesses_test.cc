#include "data/size_guesses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "interfaces.h"

namespace culprit {
namespace {

/// A decoder as optimum exports it, with one layer of a cache.
std::vector<ValueInfo> decoder(const std::string& total) {
  const auto cache = [](const char* name) {
    return value(name, DType::f32, {open("batch_size"), fixed(2), open("past_sequence_length"), fixed(8)});
  };
  return {value("input_ids", DType::i64, {open("batch_size"), open("sequence_length")}),
          value("attention_mask", DType::i64, {open("batch_size"), open(total)}), cache("past_key_values.0.key"),
          cache("past_key_values.0.value")};
}

TEST(GuessSizes, ATotalIsPastAndPresentInEveryGuess) {
  for (const std::string total : {"past_sequence_length + sequence_length", "total_sequence_length"}) {
    for (const SizeGuess& guess : guess_sizes(decoder(total), {})) {
      for (Sizes sizes : guess.others) {
        EXPECT_EQ(sizes.at(total), sizes.at("past_sequence_length") + sizes.at("sequence_length")) << total;
      }
      EXPECT_EQ(guess.first.at(total), guess.first.at("past_sequence_length") + guess.first.at("sequence_length"));
    }
  }
}

TEST(GuessSizes, ACacheIsFilledAndThenEmpty) {
  const SizeGuess guess = guess_sizes(decoder("total_sequence_length"), {}).front();
  EXPECT_EQ(
      guess.first,
      (Sizes{{"batch_size", 1}, {"sequence_length", 5}, {"past_sequence_length", 7}, {"total_sequence_length", 12}}));
  EXPECT_EQ(guess.others.front().at("past_sequence_length"), 0);
  EXPECT_GT(guess.others.at(1).at("past_sequence_length"), 0) << "where an empty one is refused";
}

TEST(GuessSizes, TheOthersDifferInAllAndEndWithTheBatchAlone) {
  const auto guesses = guess_sizes({value("x", DType::f32, {open("batch"), open("a"), open("b")})}, {});
  const SizeGuess& first = guesses.front();
  std::set<std::int64_t> lengths;
  for (const Sizes& sizes : {first.first, first.others.front()}) {
    lengths.insert(sizes.at("a"));
    lengths.insert(sizes.at("b"));
  }
  EXPECT_EQ(lengths.size(), 4U) << "all distinct";
  EXPECT_EQ(first.others.front().at("batch"), 2);
  EXPECT_EQ(first.others.back(), (Sizes{{"batch", 2}, {"a", first.first.at("a")}, {"b", first.first.at("b")}}));
}

TEST(GuessSizes, TheFirstOthersAreOfTheOtherParity) {
  const auto check = [](const std::vector<ValueInfo>& inputs) {
    for (const SizeGuess& guess : guess_sizes(inputs, {})) {
      for (const auto& [name, size] : guess.first) {
        EXPECT_NE(size % 2, guess.others.front().at(name) % 2) << name << "=" << size;
      }
    }
  };
  check({value("x", DType::f32, {fixed(1), open("a"), open("b"), open("c")})});
  check({value("picture", DType::f32, {fixed(1), fixed(3), open("height"), open("width")})});
  check({value("audio", DType::f32, {fixed(1), open("samples")})});
}

TEST(GuessSizes, WhereOddPicturesAreRefusedMultiplesOf32Follow) {
  const auto guesses = guess_sizes({value("x", DType::f32, {fixed(1), fixed(3), open("height"), open("width")})}, {});
  EXPECT_THAT(guesses.front().others,
              testing::ElementsAre(Sizes{{"height", 161}, {"width", 193}}, Sizes{{"height", 160}, {"width", 192}}));
}

TEST(GuessSizes, WhatIsGivenIsKeptAndFollowed) {
  const auto guesses = guess_sizes(decoder("past_sequence_length + sequence_length"),
                                   {{"past_sequence_length + sequence_length", 8}, {"sequence_length", 5}});
  for (const SizeGuess& guess : guesses) {
    EXPECT_EQ(guess.first.at("past_sequence_length"), 3);
    for (const Sizes& sizes : guess.others) EXPECT_EQ(sizes.at("past_sequence_length"), 3);
  }
}

TEST(GuessSizes, AFixedInterfaceHasNoOthers) {
  const auto guesses = guess_sizes({value("x", DType::f32, {fixed(1), fixed(3)})}, {});
  ASSERT_EQ(guesses.size(), 1U);
  EXPECT_TRUE(guesses[0].first.empty() && guesses[0].others.empty());
}

TEST(GuessSizes, TextsInPicturesHaveTheirHeight) {
  const auto guesses = guess_sizes({value("x", DType::f32, {open(), fixed(3), open("?"), open("?")})}, {});
  EXPECT_TRUE(std::ranges::any_of(guesses, [](const SizeGuess& guess) {
    return guess.first.at("x.2") == 48 && guess.first.at("x.3") == 320;
  })) << "and two that are called ? are not one";
}

TEST(GuessSizes, NamesForTheCommandLine) {
  EXPECT_THAT(names_of_sizes({value("m", DType::i64, {open("a + b"), open("c")})}),
              testing::ElementsAre("a + b", "c", "a", "b"));
}

}  // namespace
}  // namespace culprit
