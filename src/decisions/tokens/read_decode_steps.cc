#include "tokens/read_decode_steps.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tokens/plain_pattern.h"
#include "tokens/tokenizer_parts.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::size_t most_steps = 256, most_stripped = 1'000'000'000;
constexpr double most_growth = 4096;

/// A step, and how many times as long a text can be after it.
struct ReadStep {
  DecodeStep step;
  double growth = 1;
};

tl::unexpected<Error> bad_setting(const json& decoder, const char* key, const std::string& wanted) {
  return damaged_tokenizer("has a decoder " + printable(text_in(decoder, "type"), 50) + " whose '" + key + "' is no " +
                           wanted);
}

Result<std::string> text_setting(const json& decoder, const char* key) {
  const json& value = field_in(decoder, key);
  if (!value.is_string()) return bad_setting(decoder, key, "text");
  return value.get<std::string>();
}

Result<std::string> character_setting(const json& decoder, const char* key) {
  const std::string value = text_in(decoder, key);
  if (value.empty() || first_code_point(value).length != value.size())
    return bad_setting(decoder, key, "single character");
  return value;
}

Result<bool> flag_setting(const json& decoder, const char* key) {
  const json& value = field_in(decoder, key);
  if (!value.is_boolean()) return bad_setting(decoder, key, "true or false");
  return value.get<bool>();
}

Result<std::size_t> count_setting(const json& decoder, const char* key) {
  const json& value = field_in(decoder, key);
  if (!value.is_number_unsigned()) return bad_setting(decoder, key, "count");
  return std::min(value.get<std::size_t>(), most_stripped);
}

/// Where a text is replaced that is empty, a single character becomes three.
double growth_of(std::string_view what, std::string_view by) {
  if (what.empty()) return 1 + 2 * static_cast<double>(by.size());
  return std::max(1.0, static_cast<double>(by.size()) / static_cast<double>(what.size()));
}

Result<ReadStep> read_byte_level(const json&) {
  return ReadStep{join_byte_letters, 3};  // a byte that is no character becomes three
}

Result<ReadStep> read_byte_fallback(const json&) { return ReadStep{read_byte_tokens}; }

Result<ReadStep> read_fuse(const json&) { return ReadStep{fuse_tokens}; }

Result<ReadStep> read_word_piece(const json& decoder) {
  auto prefix = text_setting(decoder, "prefix");
  const auto cleanup = flag_setting(decoder, "cleanup");
  if (!prefix) return tl::unexpected(prefix.error());
  if (!cleanup) return tl::unexpected(cleanup.error());
  return ReadStep{[prefix = std::move(*prefix), is_cleaned_up = *cleanup](TokenTexts& texts) {
    join_word_parts(texts, prefix, is_cleaned_up);
  }};
}

/// Older files have "add_prefix_space" alone; where it is false, nothing was put before the first word.
Result<ReadStep> read_metaspace(const json& decoder) {
  auto mark = character_setting(decoder, "replacement");
  if (!mark) return tl::unexpected(mark.error());
  const json &scheme = field_in(decoder, "prepend_scheme"), &older = field_in(decoder, "add_prefix_space");
  if (!older.is_null() && !older.is_boolean()) return bad_setting(decoder, "add_prefix_space", "true or false");
  const bool is_never_by_older = older.is_boolean() && !older.get<bool>();
  if (!decoder.contains("prepend_scheme"))
    return ReadStep{[mark = std::move(*mark), is_never_by_older](TokenTexts& texts) {
      read_space_marks(texts, mark, !is_never_by_older);
    }};
  if (!scheme.is_string() || !is_one_of(scheme.get<std::string>(), {"always", "first", "never"}))
    return bad_setting(decoder, "prepend_scheme", "always, first or never");
  const bool is_never = scheme.get<std::string>() == "never";
  if (is_never_by_older && !is_never)
    return damaged_tokenizer("has a decoder Metaspace whose 'add_prefix_space' contradicts its 'prepend_scheme'");
  return ReadStep{[mark = std::move(*mark), is_never](TokenTexts& texts) { read_space_marks(texts, mark, !is_never); }};
}

Result<ReadStep> read_bpe_decoder(const json& decoder) {
  auto suffix = text_setting(decoder, "suffix");
  if (!suffix) return tl::unexpected(suffix.error());
  const double growth = growth_of(*suffix, " ");
  return ReadStep{[suffix = std::move(*suffix)](TokenTexts& texts) { end_words(texts, suffix); }, growth};
}

Result<ReadStep> read_strip(const json& decoder) {
  auto content = character_setting(decoder, "content");
  const auto start = count_setting(decoder, "start"), stop = count_setting(decoder, "stop");
  if (!content) return tl::unexpected(content.error());
  if (!start) return tl::unexpected(start.error());
  if (!stop) return tl::unexpected(stop.error());
  return ReadStep{[content = std::move(*content), start = *start, stop = *stop](TokenTexts& texts) {
    strip_tokens(texts, content, start, stop);
  }};
}

Result<ReadStep> read_replace(const json& decoder) {
  auto pattern = plain_pattern_of(decoder);
  if (!pattern) return tl::unexpected(pattern.error());
  const double growth = growth_of(pattern->what, pattern->by);
  return ReadStep{
      [pattern = std::move(*pattern)](TokenTexts& texts) { replace_in_tokens(texts, pattern.what, pattern.by); },
      growth};
}

Result<ReadStep> read_ctc(const json& decoder) {
  auto pad = text_setting(decoder, "pad_token"), delimiter = text_setting(decoder, "word_delimiter_token");
  const auto cleanup = flag_setting(decoder, "cleanup");
  if (!pad) return tl::unexpected(pad.error());
  if (!delimiter) return tl::unexpected(delimiter.error());
  if (!cleanup) return tl::unexpected(cleanup.error());
  const double growth = growth_of(*delimiter, " ");
  FrameTokens frames{std::move(*pad), std::move(*delimiter), *cleanup};
  return ReadStep{[frames = std::move(frames)](TokenTexts& texts) { join_frames(texts, frames); }, growth};
}

using StepReader = Result<ReadStep> (*)(const json& decoder);

const std::map<std::string, StepReader, std::less<>>& step_readers() {
  static const std::map<std::string, StepReader, std::less<>> readers{{"ByteLevel", read_byte_level},
                                                                      {"ByteFallback", read_byte_fallback},
                                                                      {"Fuse", read_fuse},
                                                                      {"WordPiece", read_word_piece},
                                                                      {"Metaspace", read_metaspace},
                                                                      {"BPEDecoder", read_bpe_decoder},
                                                                      {"Strip", read_strip},
                                                                      {"Replace", read_replace},
                                                                      {"CTC", read_ctc}};
  return readers;
}

struct ReadSteps {
  std::vector<DecodeStep> steps;
  double growth = 1;
};

/// Sequences are in one another as deep as the JSON is nested, which is limited.
Result<void> add_steps(const json& decoder, ReadSteps& read) {
  const std::string type = text_in(decoder, "type");
  if (type.empty()) return damaged_tokenizer("has a decoder without a type");
  if (type == "Sequence") {
    if (!field_in(decoder, "decoders").is_array()) return bad_setting(decoder, "decoders", "list");
    for (const json& inner : field_in(decoder, "decoders"))
      if (auto ok = add_steps(inner, read); !ok) return ok;
    return {};
  }
  const auto reader = step_readers().find(type);
  if (reader == step_readers().end()) return unknown_in_tokenizer("a decoder '" + printable(type, 50) + "'");
  auto step = reader->second(decoder);
  if (!step) return tl::unexpected(step.error());
  read.steps.push_back(std::move(step->step));
  read.growth *= step->growth;
  if (read.steps.size() > most_steps || read.growth > most_growth)
    return damaged_tokenizer("has decoders that make any text too long");
  return {};
}

}  // namespace

Result<std::vector<DecodeStep>> read_decode_steps(const json& decoder) {
  ReadSteps read;
  if (auto ok = add_steps(decoder, read); !ok) return tl::unexpected(ok.error());
  return std::move(read.steps);
}

}  // namespace culprit
