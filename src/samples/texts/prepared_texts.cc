#include "texts/prepared_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/json_fields.h"
#include "base/text.h"
#include "labels/class_numbers.h"
#include "texts/encoded_text.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr std::string_view beginning = R"({"culprit_texts":)";
constexpr std::int64_t version = 1;
constexpr std::size_t most_tokens = std::size_t{1} << 22;  // of one sample

std::string_view text_of(const MappedFile& file) {
  const auto bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t whole_in(const Json& json, const char* key) {
  const Json& field = field_in(json, key);
  return field.is_number_integer() ? field.get<std::int64_t>() : 0;
}

std::int64_t token_or_none(const Json& json, const char* key) {
  return field_in(json, key).is_number_integer() ? whole_in(json, key) : -1;
}

std::vector<std::string> texts_in(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& one : list)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

PreparedFacts facts_in(const Json& json) {
  PreparedFacts facts;
  facts.key = text_in(json, "key");
  facts.from = text_in(json, "from");
  facts.kind = text_in(json, "kind");
  facts.tokenizer = object_in(json, "tokenizer").dump();
  facts.samples = whole_in(json, "samples");
  facts.pad = whole_in(json, "pad");
  facts.end = token_or_none(json, "end");
  facts.first = token_or_none(json, "first");
  facts.max_length = whole_in(json, "max_length");
  facts.positions = whole_in(json, "positions");
  facts.cut = whole_in(json, "cut");
  facts.labels = texts_in(list_in(json, "labels"));
  facts.numbered = text_in(json, "numbered");
  facts.has_truth = is_true_in(json, "has_truth");
  facts.are_questions = is_true_in(json, "are_questions");
  facts.may_have_no_answer = is_true_in(json, "may_have_no_answer");
  facts.have_targets = is_true_in(json, "have_targets");
  facts.left_out = whole_in(json, "left_out");
  facts.encoder = text_in(json, "encoder");
  for (const Json& one : list_in(json, "listed"))
    facts.listed.push_back({text_in(one, "name"), text_in(one, "reason")});
  return facts;
}

/// Whole numbers only; nullopt for anything else.
std::optional<std::vector<std::int64_t>> numbers_in(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  std::vector<std::int64_t> numbers;
  numbers.reserve(list.size());
  for (const Json& one : list) {
    if (!one.is_number_integer()) return std::nullopt;
    numbers.push_back(one.get<std::int64_t>());
  }
  return numbers;
}

std::optional<TokenRows> token_rows(const Json& list) {
  if (!list.is_array()) return std::nullopt;
  TokenRows rows;
  for (const Json& one : list) {
    auto row = numbers_in(one);
    if (!row) return std::nullopt;
    rows.push_back(std::move(*row));
  }
  return rows;
}

/// As many numbers, all the same.
TokenRows rows_of(const TokenRows& like, std::int64_t number) {
  TokenRows rows = like;
  for (auto& row : rows) std::ranges::fill(row, number);
  return rows;
}

bool are_of_one_form(const TokenRows& a, const TokenRows& b) {
  return std::ranges::equal(a, b, {}, &std::vector<std::int64_t>::size, &std::vector<std::int64_t>::size);
}

/// Does a character begin there, or the text end?
bool is_between_characters(std::string_view text, std::int64_t at) {
  constexpr unsigned char kind = 0xC0, inside = 0x80;  // bytes of UTF-8 that go on with a character
  const auto place = static_cast<std::size_t>(at);
  return place >= text.size() || (static_cast<unsigned char>(text[place]) & kind) != inside;
}

/// Places are in order, lie in the context, and cut no character.
std::optional<TokenPlace> place_in(const Json& json, std::string_view context) {
  if (json.is_null()) return TokenPlace{};
  const auto ends = numbers_in(json);
  if (!ends || ends->size() != 2) return std::nullopt;
  const TokenPlace place{(*ends)[0], (*ends)[1]};
  const bool fits = place.begin >= 0 && place.begin <= place.end && place.end <= std::ssize(context) &&
                    is_between_characters(context, place.begin) && is_between_characters(context, place.end);
  return fits ? std::optional(place) : std::nullopt;
}

/// What is wrong with it; "" where nothing is.
std::string read_places(const Json& json, PreparedSample& sample, bool may_have_no_answer) {
  if (!field_in(json, "context").is_string()) return "";
  SampleText text{text_in(json, "context"), {}, may_have_no_answer};
  for (const Json& window : list_in(json, "places")) {
    auto& places = text.windows.emplace_back();
    for (const Json& one : window.is_array() ? window : Json::array()) {
      const auto place = place_in(one, text.context);
      if (!place) return "a place of a token does not lie in its context";
      places.push_back(*place);
    }
  }
  const bool is_whole = std::ranges::equal(text.windows, sample.ids, {}, &std::vector<TokenPlace>::size,
                                           &std::vector<std::int64_t>::size);
  if (!is_whole) return "it has not one place for each token";
  sample.text = std::move(text);
  return "";
}

std::string read_encoded(const Json& json, PreparedSample& sample) {
  if (!json.contains("encoded")) return "";
  const auto longest = std::ranges::max(sample.ids, {}, &std::vector<std::int64_t>::size).size();
  auto encoded = encoded_text(field_in(json, "encoded"), sample.ids.size(), longest);
  if (!encoded) return encoded.error().message;
  sample.encoded = std::move(*encoded);
  return "";
}

/// A label is the number of a class, or else a name of the first line; -1 and "" are none.
std::string read_class(const Json& label, const PreparedFacts& facts, PreparedSample& sample) {
  const std::string told = label.is_string() ? label.get<std::string>() : label.dump();
  const auto number = numbered_class(told);
  if (label.is_null() || told.empty() || number == -1) return "";
  const auto name = std::ranges::find(facts.labels, told);
  if (number)
    sample.label = std::to_string(*number);
  else if (label.is_string() && name != facts.labels.end())
    sample.label = std::to_string(name - facts.labels.begin());
  else
    return fmt::format("its label '{}' is no number of a class, and no name among 'labels' in the first line",
                       printable(told, 60));
  return "";
}

std::string read_sample(const Json& json, const PreparedFacts& facts, PreparedSample& sample) {
  sample.name = text_in(json, "name");
  if (std::string why = read_class(field_in(json, "label"), facts, sample); !why.empty()) return why;
  auto ids = token_rows(field_in(json, "ids"));
  if (!ids || ids->empty() || ids->front().empty()) return "it has no tokens";
  std::size_t tokens = 0;
  for (const auto& row : *ids) tokens += row.size();
  if (tokens > most_tokens) return fmt::format("it has more than {} tokens", most_tokens);
  sample.ids = std::move(*ids);
  for (const auto& [key, rows] : {std::pair("mask", &sample.mask), std::pair("types", &sample.types)}) {
    if (!json.contains(key)) *rows = rows_of(sample.ids, rows == &sample.mask ? 1 : 0);
    if (!json.contains(key)) continue;
    auto read = token_rows(field_in(json, key));
    if (!read || !are_of_one_form(*read, sample.ids)) return fmt::format("'{}' is not a number for each token", key);
    *rows = std::move(*read);
  }
  if (field_in(json, "right").is_array()) sample.right = texts_in(list_in(json, "right"));
  if (field_in(json, "target").is_array()) {
    auto target = numbers_in(field_in(json, "target"));
    if (!target) return "'target' is no list of tokens";
    sample.target = std::move(*target);
  }
  if (std::string why = read_encoded(json, sample); !why.empty()) return why;
  return read_places(json, sample, facts.may_have_no_answer);
}

tl::unexpected<Error> broken(const fs::path& file, const std::string& what) {
  return fail(ErrorKind::bad_input, printable(file.string()) + ": " + what, "make it again with culprit data prepare");
}

}  // namespace

struct PreparedTexts::Lines {
  MappedFile file;
  std::vector<std::size_t> begins;  // of each sample's line, and the end of the last

  [[nodiscard]] std::string_view line(std::size_t number) const {
    return text_of(file).substr(begins[number], begins[number + 1] - begins[number]);
  }
};

PreparedTexts::PreparedTexts(fs::path file, PreparedFacts facts, std::unique_ptr<Lines> lines)
    : file_(std::move(file)), facts_(std::move(facts)), lines_(std::move(lines)) {}
PreparedTexts::PreparedTexts(PreparedTexts&&) noexcept = default;
PreparedTexts& PreparedTexts::operator=(PreparedTexts&&) noexcept = default;
PreparedTexts::~PreparedTexts() = default;

bool PreparedTexts::is_one(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  const auto mapped = MappedFile::open(file);
  return mapped && text_of(*mapped).starts_with(beginning);
}

Result<PreparedTexts> PreparedTexts::open(const fs::path& file) {
  auto mapped = MappedFile::open(file);
  if (!mapped) return tl::unexpected(mapped.error());
  auto lines = std::make_unique<Lines>(Lines{std::move(*mapped), {}});
  const std::string_view text = text_of(lines->file);
  const Json head = Json::parse(text.substr(0, text.find('\n')), nullptr, /*allow_exceptions=*/false);
  if (!head.is_object() || !text.starts_with(beginning)) return broken(file, "these are no prepared texts");
  if (whole_in(head, "culprit_texts") != version)
    return broken(file, fmt::format("it is of version {}, and {} is read", whole_in(head, "culprit_texts"), version));
  PreparedFacts facts = facts_in(head);
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1))
    lines->begins.push_back(end + 1);
  const auto samples = std::ssize(lines->begins) - 1;
  if (samples != facts.samples || lines->begins.back() != text.size())
    return broken(file, fmt::format("it is not whole: it has {} samples of {}", std::max<std::int64_t>(samples, 0),
                                    facts.samples));
  return PreparedTexts(file, std::move(facts), std::move(lines));
}

Result<PreparedSample> PreparedTexts::at(std::int64_t number) const {
  if (number < 0 || number >= facts_.samples) return fail(ErrorKind::internal, "there is no such sample");
  PreparedSample sample;
  const Json json = Json::parse(lines_->line(static_cast<std::size_t>(number)), nullptr, /*allow_exceptions=*/false);
  const std::string why = json.is_object() ? read_sample(json, facts_, sample) : "it is no JSON object";
  if (why.empty()) return sample;
  return fail(ErrorKind::bad_input, fmt::format("{}, line {}: {}", printable(file_.string()), number + 2, why));
}

std::string line_of(const PreparedSample& sample) {
  Json json{{"name", sample.name}, {"ids", sample.ids}, {"mask", sample.mask}, {"types", sample.types}};
  if (!sample.label.empty()) json["label"] = sample.label;
  if (sample.right) json["right"] = *sample.right;
  if (!sample.target.empty()) json["target"] = sample.target;
  if (sample.encoded) json["encoded"] = json_of_encoded(*sample.encoded);
  if (sample.text) {
    json["context"] = sample.text->context;
    Json& windows = json["places"] = Json::array();
    for (const auto& window : sample.text->windows) {
      Json& places = windows.emplace_back(Json::array());
      for (const TokenPlace& place : window) places.push_back(place.is_there() ? Json{place.begin, place.end} : Json());
    }
  }
  return json.dump() + "\n";
}

std::string line_of(const PreparedFacts& facts) {
  Json listed = Json::array();
  for (const LeftOutText& one : facts.listed) listed.push_back({{"name", one.name}, {"reason", one.reason}});
  const Json tokenizer = Json::parse(facts.tokenizer, nullptr, /*allow_exceptions=*/false);
  Json json{{"key", facts.key},
            {"from", facts.from},
            {"kind", facts.kind},
            {"samples", facts.samples},
            {"pad", facts.pad},
            {"end", facts.end},
            {"max_length", facts.max_length},
            {"cut", facts.cut},
            {"labels", facts.labels},
            {"numbered", facts.numbered},
            {"has_truth", facts.has_truth},
            {"are_questions", facts.are_questions},
            {"may_have_no_answer", facts.may_have_no_answer},
            {"have_targets", facts.have_targets},
            {"left_out", facts.left_out},
            {"listed", listed},
            {"tokenizer", tokenizer.is_object() ? tokenizer : Json::object()}};
  if (facts.first >= 0) json["first"] = facts.first;
  if (facts.positions > 0) json["positions"] = facts.positions;
  if (!facts.encoder.empty()) json["encoder"] = facts.encoder;
  return fmt::format("{}{},{}\n", beginning, version,
                     json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(1));
}

}  // namespace culprit
