// What two language models say: which token differs first, and how alike all are.
#include <gtest/gtest.h>

#include <limits>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

/// Three positions, four tokens; the tokens 0, 1, 2 are the best ones.
Floats three_positions() { return {9, 1, 2, 3, 1, 9, 2, 3, 1, 2, 9, 3}; }

std::shared_ptr<const TokenDecoder> four_words() {
  auto decoder = TokenDecoder::of(
      R"({"model": {"type": "WordLevel", "vocab": {"a": 0, "cat": 1, "sat": 2, "dog": 3}, "unk_token": "a"}})");
  EXPECT_TRUE(decoder) << (decoder ? "" : decoder.error().text());
  return std::make_shared<const TokenDecoder>(std::move(*decoder));
}

TEST(Generation, AnotherTokenIsCaught) {
  Floats other = three_positions();
  other[7] = 10;
  const MadeSample sample{output_of("logits", {1, 3, 4}, three_positions()), output_of("logits", {1, 3, 4}, other), {}};
  const DecisionRecord record = compared("generation", {sample});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.metrics.at("token_agreement").value, 2.0 / 3, 1e-6);
  EXPECT_EQ(record.metrics.at("exact_match").value, 0);
  EXPECT_NEAR(record.metrics.at("first_difference").value, 1.0 / 3, 1e-6);
}

TEST(Generation, TheFirstOtherTokenIsSpelled) {
  Floats other = three_positions();
  other[7] = 10;
  const Outputs a = output_of("logits", {1, 3, 4}, three_positions()), b = output_of("logits", {1, 3, 4}, other);
  SampleText text;
  text.decoder = four_words();
  text.first_predicted = 1;
  const auto task = make_task("generation", facts_of(a), {}).value();
  const auto before = task->decide_of(a, &text), after = task->decide_of(b, &text);
  const auto change = task->change(**before, **after);
  EXPECT_EQ(change->reference, "token 0 'cat'");
  EXPECT_EQ(change->variant, "token 0 'dog'");
  EXPECT_EQ(change->margin, 6);
  EXPECT_EQ(task->tell(**before, nullptr).words, "cat sat");
}

TEST(Generation, NanIsNoToken) {
  const Floats nothing(12, std::numeric_limits<float>::quiet_NaN());
  const Outputs none = output_of("logits", {1, 3, 4}, nothing);
  const DecisionRecord record = compared("generation", {{none, none, {}}});
  EXPECT_EQ(record.changed, 0);
}

}  // namespace
}  // namespace culprit
