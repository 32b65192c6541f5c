// How texts become tokens, as culprit.yaml says it, and what lies beside a tokenizer.
#include "texts/read_text_preparation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

std::string text_fault_of(const std::string& text) {
  const auto wish = read_text_wish(text, "culprit.yaml");
  return wish ? "none" : wish.error().text();
}

TEST(ReadTextWish, AllKeys) {
  const auto wish = read_text_wish(
      "task: classification\npreprocess:\n  text: {tokenizer: t/tokenizer.json, max_length: 64, stride: 8, split: dev}",
      "x");
  ASSERT_TRUE(wish) << wish.error().text();
  EXPECT_EQ(*wish, (TextWish{"t/tokenizer.json", 64, {}, 8, "dev"}));
}

TEST(ReadTextWish, PresetsAndWhatChangesThem) {
  EXPECT_EQ(read_text_wish("preprocess: bert", "x").value(), (TextWish{"", {}, 512, 128, ""}));
  EXPECT_EQ(read_text_wish("preprocess: {text: gpt2}", "x").value(), (TextWish{"", {}, 1024, 0, ""}));
  EXPECT_EQ(read_text_wish("preprocess: {text: {preset: t5, max_length: 7}}", "x").value(),
            (TextWish{"", 7, 512, 0, ""}));
}

TEST(ReadTextWish, ItsTextReadsAsTheSame) {
  for (const TextWish& one : {TextWish{}, TextWish{"/a \"b\": {c}/tokenizer.json", 64, {}, 8, "dev"}}) {
    const auto again = read_text_wish(to_yaml(one), "again");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, one) << to_yaml(one);
  }
}

TEST(ReadTextWish, NamesItOrDoesNot) {
  for (const char* text : {"preprocess: t5", "preprocess: {text: nonsense}", "preprocess: {text: }"})
    EXPECT_TRUE(names_text_wish(text)) << text;
  for (const char* text : {"", "preprocess: torchvision", "preprocess: {sound: silero}", "task: x", "[", "- a"})
    EXPECT_FALSE(names_text_wish(text)) << text;
}

TEST(ReadTextWish, FaultsNameTheirLine) {
  EXPECT_THAT(text_fault_of("preprocess:\n  text: {max_len: 3}"), HasSubstr("line 2: there is no key 'max_len'"));
  EXPECT_THAT(text_fault_of("preprocess:\n  text: {max_length: -1}"), HasSubstr("must be a whole number from 1"));
  EXPECT_THAT(text_fault_of("preprocess: {text: {max_length: 8, stride: 8}}"), HasSubstr("leaves nothing of 8"));
  EXPECT_THAT(text_fault_of("preprocess: {text: {preset: bert, max_length: 100}}"), HasSubstr("leaves nothing of 100"));
  EXPECT_THAT(text_fault_of("preprocess: {text: bart}"), HasSubstr("there is no preset 'bart' for texts"));
  EXPECT_THAT(text_fault_of("preprocess: {text: bert, size: 3}"), HasSubstr("no key 'size'"));
  EXPECT_THAT(text_fault_of("preprocess: {sound: silero}"), HasSubstr("there is no 'text' below 'preprocess'"));
  EXPECT_THAT(text_fault_of("["), HasSubstr("no YAML that makes sense"));
}

}  // namespace
}  // namespace culprit
