// Files that are no tokenizers, or more than a decoder can do; what good ones give is in token_decoder_golden_test.cc.
#include "tokens/token_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace culprit {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

json small_tokenizer() {
  return json::parse(R"({
    "added_tokens": [{"id": 0, "content": "<s>", "normalized": false, "special": true}],
    "decoder": {"type": "Fuse"},
    "model": {"type": "BPE", "vocab": {"<s>": 0, "a": 1, "b": 2, "Ġc": 7}, "merges": []}})");
}

json with_decoder(const json& decoder) {
  json tokenizer = small_tokenizer();
  tokenizer["decoder"] = decoder;
  return tokenizer;
}

std::string small_text(const json& tokenizer, const std::vector<std::int64_t>& ids) {
  const auto decoder = TokenDecoder::of(tokenizer.dump());
  return decoder ? decoder->decode(ids, false) : decoder.error().text();
}

std::string refusal(const std::string& tokenizer, ErrorKind kind = ErrorKind::bad_input) {
  const auto decoder = TokenDecoder::of(tokenizer);
  if (decoder) return "it is read";
  EXPECT_EQ(decoder.error().kind, kind) << decoder.error().text();
  EXPECT_FALSE(decoder.error().hint.empty());
  return decoder.error().message;
}

std::string refusal(const json& tokenizer, ErrorKind kind = ErrorKind::bad_input) {
  return refusal(tokenizer.dump(), kind);
}

TEST(TokenDecoder, SaysWhatAnIdIs) {
  const auto decoder = TokenDecoder::of(small_tokenizer().dump());
  ASSERT_TRUE(decoder) << decoder.error().text();
  EXPECT_EQ(decoder->size(), 4);
  EXPECT_EQ(decoder->token(7), "Ġc");
  EXPECT_EQ(decoder->token(3), "");
  EXPECT_TRUE(decoder->is_special(0));
  EXPECT_FALSE(decoder->is_special(1));
  EXPECT_FALSE(decoder->is_special(3));
}

TEST(TokenDecoder, LeavesOutIdsWithoutAToken) {
  EXPECT_EQ(small_text(small_tokenizer(), {1, -1, 3, 2, std::int64_t{1} << 40, INT64_MIN, INT64_MAX}), "ab");
  EXPECT_EQ(small_text(small_tokenizer(), {}), "");
}

TEST(TokenDecoder, LeavesOutSpecialTokensWhereAsked) {
  const auto decoder = TokenDecoder::of(small_tokenizer().dump());
  ASSERT_TRUE(decoder);
  const std::vector<std::int64_t> ids{0, 1};
  EXPECT_EQ(decoder->decode(ids, true), "a");
  EXPECT_EQ(decoder->decode(ids, false), "<s>a");
}

TEST(TokenDecoder, SpellsATokenAsTheFileDoesAndDecodesItAsNormalized) {
  json tokenizer = small_tokenizer();
  tokenizer["normalizer"] = {{"type", "Lowercase"}};
  tokenizer["added_tokens"].push_back({{"id", 9}, {"content", "ÀB"}, {"normalized", true}, {"special", false}});
  EXPECT_EQ(small_text(tokenizer, {4}), "àb");  // the first id after four of the model
  EXPECT_EQ(TokenDecoder::of(tokenizer.dump())->token(4), "ÀB");
}

TEST(TokenDecoder, TakesForSpacesOfAddedTokensWhatUnicodeDoes) {
  json tokenizer = small_tokenizer();
  tokenizer["normalizer"] = {{"type", "Strip"}, {"strip_left", true}, {"strip_right", true}};
  tokenizer["added_tokens"].push_back({{"id", 4},
                                       {"content",
                                        " \u3000\x1c"
                                        "A\x1f\u2003"},
                                       {"normalized", true},
                                       {"special", false}});
  EXPECT_EQ(small_text(tokenizer, {4}),
            "\x1c"
            "A\x1f");
}

TEST(TokenDecoder, StripsNoMoreThanThereIs) {
  EXPECT_EQ(small_text(with_decoder({{"type", "Strip"}, {"content", "a"}, {"start", 1}, {"stop", 1}}), {1, 2}), "b");
  const std::uint64_t huge = std::uint64_t{1} << 63U;
  EXPECT_EQ(small_text(with_decoder({{"type", "Strip"}, {"content", "a"}, {"start", huge}, {"stop", huge}}), {1}), "");
}

TEST(TokenDecoder, FindsAnEmptyTextInTokensThatAreNone) {
  json tokenizer = with_decoder({{"type", "Replace"}, {"pattern", {{"String", ""}}}, {"content", "-"}});
  tokenizer["model"]["vocab"][""] = 3;
  EXPECT_EQ(small_text(tokenizer, {1, 3, 2}), "-a--b-");
  tokenizer["decoder"] = {{"type", "BPEDecoder"}, {"suffix", ""}};
  EXPECT_EQ(small_text(tokenizer, {1, 3, 2}), " a  b");
}

TEST(TokenDecoder, ReadsOlderMetaspaces) {
  json tokenizer = with_decoder({{"type", "Metaspace"}, {"replacement", "Ġ"}, {"add_prefix_space", true}});
  EXPECT_EQ(small_text(tokenizer, {7, 7}), "c c");
  tokenizer["decoder"]["add_prefix_space"] = false;
  EXPECT_EQ(small_text(tokenizer, {7, 7}), " c c");
  tokenizer["decoder"]["prepend_scheme"] = "first";
  EXPECT_THAT(refusal(tokenizer), HasSubstr("contradicts"));
}

TEST(TokenDecoder, ReadsModelsWithoutAType) {
  json tokenizer = small_tokenizer();
  tokenizer["model"].erase("type");
  EXPECT_EQ(small_text(tokenizer, {1, 2}), "ab");
  tokenizer["model"]["vocab"] = json::parse(R"([["x", -1], ["y", -2.5]])");
  EXPECT_EQ(small_text(tokenizer, {1, 0}), "yx");
}

TEST(TokenDecoder, RefusesWhatIsNoTokenizer) {
  for (const char* text : {"", "{", "[]", "3", "null", "\"a\"", "{\"model\": \xff}", "{\"model\": \"\\ud800\"}"})
    EXPECT_THAT(refusal(std::string(text)), HasSubstr("no JSON")) << text;
  EXPECT_THAT(refusal(std::string("{}")), HasSubstr("no model"));
  EXPECT_THAT(refusal(std::string(R"({"model": [1]})")), HasSubstr("no model"));
  EXPECT_THAT(refusal(std::string((std::size_t{256} << 20U) + 1, ' ')), HasSubstr("256 MiB"));
}

TEST(TokenDecoder, RefusesWhatIsNestedTooDeep) {
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string deep = R"({"decoder": )";
    for (int i = 0; i < 100'000; ++i) deep += bracket;
    EXPECT_THAT(refusal(deep), HasSubstr("nested"));
  }
}

TEST(TokenDecoder, RefusesIdsThatAreNone) {
  const std::vector<std::pair<json, std::string>> ids{{"5", "\"5\""},
                                                      {-1, "-1"},
                                                      {1.5, "1.5"},
                                                      {1e18, "1e+18"},
                                                      {1ULL << 32U, "4294967296"},
                                                      {nullptr, "null"},
                                                      {true, "true"},
                                                      {json::array({5}), "no number"}};
  for (const auto& [id, told] : ids) {
    json tokenizer = small_tokenizer();
    tokenizer["model"]["vocab"]["a"] = id;
    EXPECT_THAT(refusal(tokenizer), AllOf(HasSubstr("'a'"), HasSubstr("the id " + told + ",")));
    tokenizer = small_tokenizer();
    tokenizer["added_tokens"][0]["id"] = id;
    EXPECT_THAT(refusal(tokenizer), AllOf(HasSubstr("'<s>'"), HasSubstr("the id " + told + ",")));
  }
  json tokenizer = small_tokenizer();
  tokenizer["model"]["vocab"]["a"] = 0xffffffffU;
  EXPECT_EQ(small_text(tokenizer, {0xffffffff}), "a");
}

TEST(TokenDecoder, RefusesTwoTokensOfOneId) {
  json tokenizer = small_tokenizer();
  tokenizer["model"]["vocab"]["b"] = 1;
  EXPECT_THAT(refusal(tokenizer), HasSubstr("the tokens 'a' and 'b' the same id 1"));
  tokenizer = small_tokenizer();
  tokenizer["added_tokens"].push_back({{"id", 0}, {"content", "x"}, {"special", true}});
  EXPECT_THAT(refusal(tokenizer), HasSubstr("the tokens '<s>' and 'x' the same id 0"));
}

TEST(TokenDecoder, RefusesVocabulariesOfOtherTypes) {
  for (const json& vocab : {json(), json(3), json("a"), json::array({"a"})}) {
    json tokenizer = small_tokenizer();
    tokenizer["model"]["vocab"] = vocab;
    EXPECT_THAT(refusal(tokenizer), HasSubstr("'vocab'")) << vocab;
    tokenizer["model"]["type"] = "Unigram";
    EXPECT_THAT(refusal(tokenizer), HasSubstr("'vocab'")) << vocab;
  }
  json tokenizer = small_tokenizer();
  tokenizer["model"]["type"] = "Tree\nBank";
  EXPECT_THAT(refusal(tokenizer, ErrorKind::unsupported), HasSubstr("Tree Bank"));
  tokenizer["model"] = json::parse(R"({"type": "Unigram", "vocab": [["a", "1"]]})");
  EXPECT_THAT(refusal(tokenizer), HasSubstr("token 0"));
}

TEST(TokenDecoder, RefusesAddedTokensOfOtherTypes) {
  for (const json& added : {json(3), json::object(), json::array({3}), json::parse(R"([{"id": 1, "content": 2}])"),
                            json::parse(R"([{"id": 1, "content": "x", "special": "yes"}])")}) {
    json tokenizer = small_tokenizer();
    tokenizer["added_tokens"] = added;
    EXPECT_THAT(refusal(tokenizer), HasSubstr("added")) << added;
  }
}

TEST(TokenDecoder, NamesTheDecoderThatIsNotKnown) {
  EXPECT_THAT(refusal(with_decoder({{"type", "Magic"}}), ErrorKind::unsupported), HasSubstr("'Magic'"));
  json inner = {{"type", "Replace"}, {"pattern", {{"Regex", "a|b"}}}, {"content", ""}};
  json outer = {{"type", "Sequence"}, {"decoders", json::array({inner})}};
  EXPECT_THAT(refusal(with_decoder(outer), ErrorKind::unsupported), HasSubstr("'a|b'"));
}

TEST(TokenDecoder, RefusesSettingsOfOtherTypes) {
  for (const char* decoder :
       {R"([])", R"("Fuse")", R"({"type": 3})", R"({"type": "WordPiece", "prefix": 3, "cleanup": true})",
        R"({"type": "WordPiece", "prefix": "##", "cleanup": 1})", R"({"type": "BPEDecoder"})",
        R"({"type": "Metaspace", "replacement": "ab"})", R"({"type": "Metaspace", "replacement": ""})",
        R"({"type": "Metaspace", "replacement": "_", "add_prefix_space": 1})",
        R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "last"})",
        R"({"type": "Strip", "content": "a", "start": -1, "stop": 0})",
        R"({"type": "Strip", "content": "", "start": 1, "stop": 0})",
        R"({"type": "Strip", "content": "a", "start": 0, "stop": 1.5})",
        R"({"type": "Replace", "pattern": "a", "content": ""})",
        R"({"type": "Replace", "pattern": {"String": "a"}, "content": null})",
        R"({"type": "CTC", "pad_token": null, "word_delimiter_token": "|", "cleanup": true})",
        R"({"type": "Sequence", "decoders": {}})"})
    EXPECT_THAT(refusal(with_decoder(json::parse(decoder))), HasSubstr("has a")) << decoder;
}

TEST(TokenDecoder, RefusesDecodersThatMakeTextTooLong) {
  const json twice = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aa"}};
  EXPECT_EQ(small_text(with_decoder({{"type", "Sequence"}, {"decoders", json(3, twice)}}), {1}), "aaaaaaaa");
  const json spaced = {{"type", "BPEDecoder"}, {"suffix", ""}};
  for (const json& step : {twice, spaced})
    EXPECT_THAT(refusal(with_decoder({{"type", "Sequence"}, {"decoders", json(60, step)}})), HasSubstr("too long"));
  EXPECT_THAT(refusal(with_decoder({{"type", "Sequence"}, {"decoders", json(300, {{"type", "Fuse"}})}})),
              HasSubstr("too long"));
}

TEST(TokenDecoder, RefusesNormalizersThatMakeAddedTokensTooLong) {
  json tokenizer = small_tokenizer();
  tokenizer["added_tokens"][0]["normalized"] = true;
  const json twice = {{"type", "Replace"}, {"pattern", {{"String", "s"}}}, {"content", "ss"}};
  for (const json& step : {twice, json{{"type", "Prepend"}, {"prepend", std::string(2000, 'x')}}}) {
    tokenizer["normalizer"] = {{"type", "Sequence"}, {"normalizers", json(60, step)}};
    EXPECT_THAT(refusal(tokenizer), testing::AnyOf(HasSubstr("64 KiB"), HasSubstr("too long")));
  }
}

TEST(TokenDecoder, KeepsNothingOfPartsThatItDoesNotNeed) {
  json tokenizer = small_tokenizer();
  tokenizer["model"]["merges"] = json::array({"a b", json::array({json::object({{"vocab", 3}}), "type"})});
  tokenizer["post_processor"] = {{"model", 3}, {"vocab", 4}};
  EXPECT_EQ(small_text(tokenizer, {1, 2}), "ab");
}

}  // namespace
}  // namespace culprit
