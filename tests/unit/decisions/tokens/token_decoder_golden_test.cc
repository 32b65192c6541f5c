// Decoded texts, against the Python package tokenizers.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "tokens/token_decoder.h"

namespace culprit {
namespace {

using nlohmann::json;

/// Written by tests/golden/tokens/tokens.py; another folder of more lines may be named.
std::string golden_tokens(const std::string& name) {
  const char* other = std::getenv("CULPRIT_TOKENS_GOLDEN");
  return (other != nullptr ? std::string(other) : CULPRIT_SOURCE "/tests/golden/tokens") + "/" + name;
}

std::string text_of_golden(const std::string& name) {
  std::ifstream file(golden_tokens(name));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct ComparedTexts {
  std::int64_t lines = 0, different = 0;
};

/// `golden_case` is ids, their text without special tokens, and with them.
void compare_texts(const TokenDecoder& decoder, const json& golden_case, ComparedTexts& compared) {
  const auto ids = golden_case[0].get<std::vector<std::int64_t>>();
  ++compared.lines;
  const bool is_same = decoder.decode(ids, true) == golden_case[1].get<std::string>() &&
                       decoder.decode(ids, false) == golden_case[2].get<std::string>();
  if (is_same) return;
  if (++compared.different > 3) return;  // thousands of them say no more
  EXPECT_EQ(decoder.decode(ids, true), golden_case[1].get<std::string>()) << golden_case;
  EXPECT_EQ(decoder.decode(ids, false), golden_case[2].get<std::string>()) << golden_case;
}

class TrainedTokenizers : public testing::TestWithParam<const char*> {};

TEST_P(TrainedTokenizers, DecodeAsTokenizersDoes) {
  const std::string name = GetParam();
  const auto decoder = TokenDecoder::of(text_of_golden(name + ".json"));
  ASSERT_TRUE(decoder) << decoder.error().text();
  ComparedTexts compared;
  std::ifstream lines(golden_tokens(name + ".jsonl"));
  for (std::string line; std::getline(lines, line);) compare_texts(*decoder, json::parse(line), compared);
  EXPECT_GE(compared.lines, 80);
  EXPECT_EQ(compared.different, 0) << "of " << compared.lines;
  RecordProperty("lines", std::to_string(compared.lines));
}

INSTANTIATE_TEST_SUITE_P(Golden, TrainedTokenizers, testing::Values("gpt2", "bert", "t5", "llama", "clip", "wav2vec2"),
                         [](const auto& name) { return std::string(name.param); });

TEST(MadeTokenizers, DecodeAsTokenizersDoes) {
  ComparedTexts compared;
  std::ifstream lines(golden_tokens("made.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const json made = json::parse(line);
    const auto decoder = TokenDecoder::of(made["tokenizer"].dump());
    ASSERT_TRUE(decoder) << decoder.error().text() << line;
    const std::int64_t before = compared.different;
    for (const json& golden_case : made["cases"]) compare_texts(*decoder, golden_case, compared);
    if (before != compared.different && compared.different < 10) ADD_FAILURE() << line;
  }
  EXPECT_GE(compared.lines, 480);
  EXPECT_EQ(compared.different, 0) << "of " << compared.lines;
  RecordProperty("lines", std::to_string(compared.lines));
}

}  // namespace
}  // namespace culprit
