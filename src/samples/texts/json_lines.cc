// A JSON object in each line: {"text": "good", "label": "pos"}.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "texts/text_fields.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

using Line = nlohmann::json;

const Line* field_called(const Line& line, std::span<const std::string_view> words) {
  for (const std::string_view word : words)
    if (const auto at = line.find(word); at != line.end() && !at->is_null()) return &*at;
  return nullptr;
}

std::optional<std::string> as_text(const Line& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  return std::nullopt;
}

/// A text, a list of them, or SQuAD's {"text": [...]}.
std::optional<std::vector<std::string>> texts_of(const Line& value) {
  if (value.is_string()) return std::vector<std::string>{value.get<std::string>()};
  if (value.is_object()) {
    const auto texts = value.find("text");
    return texts == value.end() ? std::nullopt : texts_of(*texts);
  }
  if (!value.is_array()) return std::nullopt;
  std::vector<std::string> texts;
  for (const Line& one : value) {
    const Line* text = one.is_object() && one.contains("text") ? &one.at("text") : &one;
    if (!text->is_string()) return std::nullopt;
    texts.push_back(text->get<std::string>());
  }
  return texts;
}

std::string as_people_say(const Line& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "true or false";
  if (value.is_number()) return "a number";
  return value.is_array() ? "a list" : "an object";
}

/// Why the line has no text: its field may be there, and hold something else.
std::string lack_of_text(const Line& line) {
  for (const bool may_be_null : {false, true})
    for (const std::string_view word : text_words)
      if (const auto at = line.find(word); at != line.end() && at->is_null() == may_be_null)
        return fmt::format("its {} is {}, and no text", word, as_people_say(*at));
  return "it has no text: none of its fields is called " + text_headings();
}

/// What is wrong with the line; "" where nothing is.
std::string read_line(const Line& line, TextItem& item) {
  if (!line.is_object()) return "it is no JSON object";
  const Line *text = field_called(line, text_words), *context = field_called(line, context_words);
  if (text == nullptr || !text->is_string()) return lack_of_text(line);
  item.text = text->get<std::string>();
  if (context != nullptr && !context->is_string()) return "its context is no text";
  if (context != nullptr) item.context = context->get<std::string>();
  if (const Line* name = field_called(line, name_words))
    if (const auto named = as_text(*name); named && !named->empty()) item.name = *named;
  if (const Line* label = field_called(line, class_words)) {
    const auto told = as_text(*label);
    if (!told) return "its label is neither a text nor a number";
    item.label = *told;
  }
  if (const Line* right = field_called(line, right_words)) {
    item.right = texts_of(*right);
    if (!item.right) return "what is right of it is no text and no list of texts";
  }
  return "";
}

}  // namespace

Result<TextSet> read_json_lines(std::string_view bytes, const std::string& name) {
  TextSet set;
  set.kind = "lines of JSON";
  std::vector<TextItem> items;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = trim(bytes.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    TextItem item{fmt::format("{}:{}", name, number), ""};
    const Line json = Line::parse(line, nullptr, /*allow_exceptions=*/false);
    const std::string why = !is_utf8(line)        ? "it is no UTF-8"
                            : json.is_discarded() ? "it is no JSON"
                                                  : read_line(json, item);
    if (why.empty())
      items.push_back(std::move(item));
    else
      set.left_out.add(fmt::format("{}:{}", name, number), why);
  }
  set.are_questions = std::ranges::any_of(items, [](const TextItem& item) { return !item.context.empty(); });
  for (TextItem& item : items) {
    set.may_have_no_answer |= set.are_questions && item.right && item.right->empty();
    take_text(set, std::move(item));
  }
  return set;
}

}  // namespace culprit
