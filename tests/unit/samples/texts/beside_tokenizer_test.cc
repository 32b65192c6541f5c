// What configurations beside a tokenizer say of rows and tokens.
#include "texts/beside_tokenizer.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

class BesideTokenizer : public ::testing::Test {
 protected:
  void put(const char* name, const char* text) { std::ofstream(folder_.path() / name) << text; }
  [[nodiscard]] EdgeTokens edges() const { return edge_tokens_beside(tokenizer_); }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "beside-tokenizer-").value();

 protected:
  const fs::path tokenizer_ = folder_.path() / "tokenizer.json";
};

TEST_F(BesideTokenizer, ConfigurationsLowerTheMostTokens) {
  EXPECT_EQ(most_tokens_beside(tokenizer_, 512), 512);
  put("tokenizer_config.json", R"({"model_max_length": 1000000000000000019884624838656})");
  EXPECT_EQ(most_tokens_beside(tokenizer_, 512), 512);
  put("tokenizer_config.json", R"({"model_max_length": 256})");
  EXPECT_EQ(most_tokens_beside(tokenizer_, 512), 256);
  put("config.json", R"({"max_position_embeddings": 514, "n_positions": 128})");
  EXPECT_EQ(most_tokens_beside(tokenizer_, 512), 128);
  put("config.json", R"({"max_position_embeddings": -5, "n_positions": "7"})");
  EXPECT_EQ(most_tokens_beside(tokenizer_, 512), 256);
  put("config.json", "[1, 2");
  EXPECT_EQ(most_tokens_beside(tokenizer_, 100), 100);
}

TEST_F(BesideTokenizer, TheConfigurationOfTheModelTellsItsPositions) {
  put("tokenizer_config.json", R"({"model_max_length": 256})");
  EXPECT_EQ(positions_beside(tokenizer_), std::nullopt) << "that is no number of positions";
  put("config.json", R"({"n_positions": 1024})");
  EXPECT_EQ(positions_beside(tokenizer_), 1024);
  put("config.json", R"({"max_position_embeddings": "many"})");
  EXPECT_EQ(positions_beside(tokenizer_), std::nullopt);
}

TEST_F(BesideTokenizer, TheSideIsLeftOrRightOrUnsaid) {
  EXPECT_EQ(cut_side_beside(tokenizer_), CutSide::unsaid);
  put("tokenizer_config.json", R"({"truncation_side": "left"})");
  EXPECT_EQ(cut_side_beside(tokenizer_), CutSide::left);
  put("tokenizer_config.json", R"({"truncation_side": "right"})");
  EXPECT_EQ(cut_side_beside(tokenizer_), CutSide::right);
  put("tokenizer_config.json", R"({"truncation_side": ""})");
  EXPECT_EQ(cut_side_beside(tokenizer_), CutSide::unsaid);
}

TEST_F(BesideTokenizer, TheConfigurationOfGenerationTellsTheEdgesFirst) {
  EXPECT_EQ((EdgeTokens{-1, -1}), edges());
  put("config.json", R"({"decoder_start_token_id": 2, "eos_token_id": 3})");
  EXPECT_EQ((EdgeTokens{2, 3}), edges());
  put("generation_config.json", R"({"eos_token_id": [7, 8]})");
  EXPECT_EQ((EdgeTokens{2, 7}), edges());
  put("generation_config.json", R"({"decoder_start_token_id": 0, "eos_token_id": null})");
  EXPECT_EQ((EdgeTokens{0, 3}), edges());
}

TEST_F(BesideTokenizer, WhatIsNoTokenIsPassedOver) {
  put("generation_config.json", R"({"decoder_start_token_id": -1, "eos_token_id": []})");
  EXPECT_EQ((EdgeTokens{-1, -1}), edges());
  put("generation_config.json", R"({"decoder_start_token_id": "2", "eos_token_id": 99999999999999999999})");
  EXPECT_EQ((EdgeTokens{-1, -1}), edges());
  put("generation_config.json", "[");
  EXPECT_EQ((EdgeTokens{-1, -1}), edges());
}

}  // namespace
}  // namespace culprit
