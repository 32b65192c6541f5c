// Text that is written token by token: what each step is fed with, and what is kept of it.
#include "tensor/token_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tensor/best_tokens.h"
#include "tensor/steps.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Tensors = std::vector<NamedTensor>;

Tensor row_of(const std::vector<std::int64_t>& numbers) {
  return Tensor::of<std::int64_t>({1, static_cast<std::int64_t>(numbers.size())}, numbers);
}

std::vector<std::int64_t> whole_numbers(const Tensor& tensor) {
  const auto all = tensor.as<std::int64_t>();
  return {all.begin(), all.end()};
}

/// Scores of ten tokens, of which this one is the best.
Tensor scores_for(std::int64_t best) {
  std::vector<float> scores(20);
  scores[static_cast<std::size_t>(10 + best)] = 5;
  scores[static_cast<std::size_t>(10 + (best + 1) % 10)] = 4;
  return Tensor::of<float>({1, 2, 10}, scores);
}

/// Says the number of tokens that it was fed with, its cache included, and remembers what it was fed with.
class Counter {
 public:
  StepRun run() {
    return [this](const Tensors& inputs) -> Result<Tensors> {
      fed.push_back(inputs);
      const Tensor& ids = *find_value(inputs, "ids");
      const Tensor* past = find_value(inputs, "past");
      const std::int64_t length = ids.count() + (past == nullptr ? 0 : past->count());
      std::vector<float> cache(static_cast<std::size_t>(length), 1);
      return Tensors{{"logits", scores_for(length % 10)}, {"present", Tensor::of<float>({length}, cache)}};
    };
  }
  std::vector<Tensors> fed;
};

TEST(TokenLoop, ACacheIsFedBackAndOneTokenAtATime) {
  Counter counter;
  const Tensors inputs{{"ids", row_of({7, 8, 9}), token_part({3, -1, "logits", true})},
                       {"mask", row_of({1, 1, 1}), std::string(more_ones_part)},
                       {"positions", row_of({0, 1, 2}), std::string(next_number_part)},
                       {"past", Tensor::of<float>({0}, {}), state_part("present")}};
  const auto outputs = run_token_loop(inputs, counter.run());
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(whole_numbers(*find_value(*outputs, "tokens")), ElementsAre(3, 4, 5));
  ASSERT_EQ(3U, counter.fed.size());
  EXPECT_THAT(whole_numbers(*find_value(counter.fed[1], "ids")), ElementsAre(3));
  EXPECT_THAT(whole_numbers(*find_value(counter.fed[2], "mask")), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(whole_numbers(*find_value(counter.fed[2], "positions")), ElementsAre(4));
  EXPECT_EQ((Shape{4}), find_value(counter.fed[2], "past")->shape());
  EXPECT_EQ((Shape{3, 16}), find_value(*outputs, "top_scores")->shape());
  EXPECT_EQ(4, find_value(*outputs, "top_tokens")->number(1)) << "the second best of the first step";
}

TEST(TokenLoop, WithoutACacheAllTokensAreFedAnew) {
  Counter counter;
  const Tensors inputs{{"ids", row_of({7, 8}), token_part({3, -1, "logits", false})},
                       {"positions", row_of({0, 1}), std::string(more_numbers_part)}};
  const auto outputs = run_token_loop(inputs, counter.run());
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(whole_numbers(*find_value(*outputs, "tokens")), ElementsAre(2, 3, 4));
  EXPECT_THAT(whole_numbers(*find_value(counter.fed[2], "ids")), ElementsAre(7, 8, 2, 3));
  EXPECT_THAT(whole_numbers(*find_value(counter.fed[2], "positions")), ElementsAre(0, 1, 2, 3));
}

TEST(TokenLoop, RowsOfASizeOfTheirOwnAreFilled) {
  std::vector<Tensors> fed;
  const StepRun one_more = [&](const Tensors& inputs) -> Result<Tensors> {
    fed.push_back(inputs);
    std::vector<float> scores(50);  // at each of five places the token behind the one there
    for (std::int64_t place = 0; place < 5; ++place)
      scores[static_cast<std::size_t>(10 * place) +
             static_cast<std::size_t>(find_value(inputs, "ids")->number(place) + 1) % 10] = 5;
    return Tensors{{"logits", Tensor::of<float>({1, 5, 10}, scores)}};
  };
  const auto inputs = [](std::int64_t steps) {
    return Tensors{{"ids", row_of({7, 8, 5, 5, 5}), token_part({steps, -1, "logits", false, 2})},
                   {"mask", row_of({1, 1, 0, 0, 0}), std::string(more_ones_part)},
                   {"positions", row_of({0, 1, 0, 0, 0}), std::string(more_numbers_part)}};
  };
  const auto outputs = run_token_loop(inputs(4), one_more);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(whole_numbers(*find_value(*outputs, "tokens")), ElementsAre(9, 0, 1, 2)) << "the first behind the 8";
  EXPECT_THAT(whole_numbers(*find_value(fed[2], "ids")), ElementsAre(7, 8, 9, 0, 5));
  EXPECT_THAT(whole_numbers(*find_value(fed[2], "mask")), ElementsAre(1, 1, 1, 1, 0));
  EXPECT_THAT(whole_numbers(*find_value(fed[2], "positions")), ElementsAre(0, 1, 2, 3, 0));
  EXPECT_THAT(run_token_loop(inputs(5), one_more).error().text(), HasSubstr("reads 5 tokens, and there are more"));
  EXPECT_FALSE(has_tokens(Tensors{{"ids", row_of({7}), token_part({2, -1, "logits", false, 0})}}));
}

TEST(TokenLoop, WhatAStepIsFedWithComesOut) {
  Counter counter;
  const Tensors inputs{{"ids", row_of({7, 8, 9}), token_part({4, -1, "logits", true})},
                       {"mask", row_of({1, 1, 1}), std::string(more_ones_part)},
                       {"past", Tensor::of<float>({0}, {}), state_part("present")}};
  const auto fed = run_token_loop(shown_at(inputs, 2), counter.run());
  ASSERT_TRUE(fed) << fed.error().text();
  EXPECT_EQ(2U, counter.fed.size()) << "the step itself is not run";
  EXPECT_THAT(whole_numbers(*find_value(*fed, "ids")), ElementsAre(4));
  EXPECT_EQ((Shape{4}), find_value(*fed, "past")->shape());
  EXPECT_FALSE(has_steps(*fed));
  EXPECT_FALSE(has_tokens(*fed));
  EXPECT_THAT(whole_numbers(*find_value(*run_token_loop(shown_at(inputs, 0), counter.run()), "ids")),
              ElementsAre(7, 8, 9));
}

TEST(TokenLoop, WhatTheFirstStepGaveStays) {
  int step = 0;
  std::vector<Tensors> fed;
  const StepRun merged = [&](const Tensors& inputs) -> Result<Tensors> {
    fed.push_back(inputs);
    const bool is_first = step++ == 0;
    return Tensors{{"logits", scores_for(step)},
                   {"present", is_first ? Tensor::of<float>({2}, {5, 6}) : Tensor::of<float>({0}, {})}};
  };
  const Tensors inputs{{"ids", row_of({7}), token_part({3, -1, "logits", true})},
                       {"past", Tensor::of<float>({1}, {0}), first_of_part("present")},
                       {"use_cache", *cast(Tensor::of<float>({1}, {0}), DType::boolean), std::string(then_true_part)}};
  const auto outputs = run_token_loop(inputs, merged);
  ASSERT_TRUE(outputs) << outputs.error().text();
  ASSERT_EQ(3U, fed.size());
  EXPECT_EQ((Shape{1}), find_value(fed[0], "past")->shape());
  for (const Tensors& later : {fed[1], fed[2]}) {
    EXPECT_TRUE(find_value(later, "past")->identical(Tensor::of<float>({2}, {5, 6})));
    EXPECT_EQ(DType::boolean, find_value(later, "use_cache")->dtype());
    EXPECT_EQ(1, find_value(later, "use_cache")->number(0));
  }
  EXPECT_EQ(0, find_value(fed[0], "use_cache")->number(0));
}

TEST(TokenLoop, AfterTheEndNothingIsAsked) {
  Counter counter;
  const Tensors inputs{{"ids", row_of({7, 8}), token_part({5, 3, "logits", false})}};
  const auto outputs = run_token_loop(inputs, counter.run());
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(whole_numbers(*find_value(*outputs, "tokens")), ElementsAre(2, 3, 3, 3, 3));
  EXPECT_EQ(2U, counter.fed.size());
}

TEST(TokenLoop, NaNIsNoToken) {
  const StepRun lost = [](const Tensors&) -> Result<Tensors> {
    return Tensors{{"logits", Tensor::of<float>({1, 3}, {1, std::numeric_limits<float>::quiet_NaN(), 0})}};
  };
  const auto outputs = run_token_loop({{"ids", row_of({7}), token_part({2, -1, "logits", false})}}, lost);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_THAT(whole_numbers(*find_value(*outputs, "tokens")), ElementsAre(-1, -1));
}

TEST(TokenLoop, WhatCannotBeReadIsTold) {
  Counter counter;
  EXPECT_THAT(
      run_token_loop({{"ids", row_of({7}), token_part({2, -1, "scores", false})}}, counter.run()).error().message,
      HasSubstr("no output 'scores'"));
  EXPECT_FALSE(has_tokens(Tensors{{"ids", row_of({7}), ".tokens=0:1:x"}}));
  EXPECT_FALSE(has_tokens(Tensors{{"ids", row_of({7}), ".tokens=many"}}));
  EXPECT_TRUE(has_tokens(Tensors{{"ids", row_of({7}), token_part({2, -1, "a:b", true})}}));
}

TEST(TokenLoop, OfEqualScoresTheSmallerTokenIsBetter) {
  const auto best = best_tokens(Tensor::of<float>({1, 4}, {1, 3, 3, 2}), 5);
  ASSERT_TRUE(best);
  EXPECT_EQ((ScoredToken{1, 3}), (*best)[0]);
  EXPECT_EQ((ScoredToken{2, 3}), (*best)[1]);
  EXPECT_EQ(-1, (*best)[4].token);
  EXPECT_FALSE(best_tokens(Tensor::of<std::int64_t>({2}, {1, 2}), 1));
}

}  // namespace
}  // namespace culprit
