#include "data/sets/label_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "base/utf16.h"
#include "data/sets/label_table.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

tl::unexpected<Error> wrong(const std::filesystem::path& path, const WrongLine& at) {
  return fail(ErrorKind::bad_input, fmt::format("{}, line {}: {}", printable(path.string()), at.line, at.what),
              "a list of labels has lines like cat1.jpg,cat (.csv) or {\"file\": \"cat1.jpg\", \"label\": \"cat\"} "
              "(.jsonl); of "
              "more columns a first line of headings says which are `file` and `label`");
}

/// What stands under one of these keys: texts or numbers, or what is wrong with it.
struct LabelField {
  std::vector<std::string> texts;
  bool is_list = false;
  std::string wrong = {};
};

std::optional<std::string> text_or_number(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  return std::nullopt;
}

LabelField list_of(const Json& value) {
  LabelField field{{}, true};
  for (const Json& one : value) {
    const auto text = text_or_number(one);
    if (!text || text->empty()) return {{}, true, printable(one.dump(-1, ' ', true), 60)};
    field.texts.push_back(*text);
  }
  return field;
}

/// `what`: "file" or "label", for the message. A list of labels says which are right at once.
LabelField field_under(const Json& object, std::span<const std::string_view> words, const std::string& what) {
  for (const std::string_view word : words) {
    const auto at = object.find(word);
    if (at == object.end()) continue;
    if (const auto text = text_or_number(*at)) return {{*text}};
    const bool may_be_list = at->is_array() && what == "label";
    LabelField field = may_be_list ? list_of(*at) : LabelField{{}, false, printable(at->dump(-1, ' ', true), 60)};
    if (!field.wrong.empty())
      field.wrong = fmt::format("its \"{}\" {} {}, and neither a text nor a number", word, may_be_list ? "has" : "is",
                                field.wrong);
    return field;
  }
  return {{""}, false, "it has no \"" + what + "\""};
}

Result<LabelList> read_jsonl(const std::filesystem::path& path, std::string_view text, const WantedColumn& wanted) {
  LabelRows rows;
  const auto lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const Json object = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) return wrong(path, {i + 1, "it is no JSON object"});
    const LabelField file = field_under(object, file_words, "file"),
                     label = field_under(object, wanted.words, wanted.what);
    for (const LabelField& field : {file, label})
      if (!field.wrong.empty()) return wrong(path, {i + 1, field.wrong});
    if (label.is_list)
      rows.add_several(file.texts.front(), label.texts, i + 1);
    else if (wanted.is_plain_text)
      rows.add_text(file.texts.front(), label.texts.front(), i + 1);
    else
      rows.add(file.texts.front(), label.texts.front(), i + 1);
  }
  if (const auto at = rows.wrong()) return wrong(path, *at);
  return std::move(rows).take();
}

bool jsonl_has(std::string_view text, const WantedColumn& wanted) {
  for (const std::string& line : split(text, '\n')) {
    const Json object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) continue;
    if (std::ranges::any_of(wanted.words, [&](std::string_view word) { return object.contains(word); })) return true;
  }
  return false;
}

constexpr std::uint64_t largest_list = std::uint64_t{1} << 30;

}  // namespace

Result<bool> list_has(const std::filesystem::path& path, const WantedColumn& wanted) {
  const auto text = read_list_text(path, largest_list);
  if (!text) return tl::unexpected(text.error());
  return path.extension() == ".jsonl" ? jsonl_has(*text, wanted) : names_column(*text, wanted);
}

Result<LabelList> read_label_list(const std::filesystem::path& path, const WantedColumn& wanted) {
  const auto text = read_list_text(path, largest_list);
  if (!text) return tl::unexpected(text.error());
  Result<LabelList> labels = LabelList{};
  if (path.extension() == ".jsonl") {
    labels = read_jsonl(path, *text, wanted);
  } else {
    auto table = read_label_table(*text, wanted);
    if (!table) return wrong(path, table.error());
    labels = std::move(*table);
  }
  if (labels && labels->files.empty())
    return fail(ErrorKind::bad_input, printable(path.string()) + " holds no labels",
                "each line is a file and its label");
  return labels;
}

Result<std::string> read_list_text(const std::filesystem::path& path, std::uint64_t most_bytes) {
  auto text = read_file(path, most_bytes);
  if (!text) return text;
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text->starts_with(mark)) return text->substr(mark.size());
  const bool has_zeros = text->find('\0') != text->npos;
  if (!is_utf16(*text) && !has_zeros) return text;
  auto converted = utf8_of_utf16(*text);
  if (!converted)
    return fail(ErrorKind::bad_input, printable(path.string()) + " is no text in UTF-8, nor in UTF-16 with its mark",
                "save it as UTF-8");
  return std::move(*converted);
}

}  // namespace culprit
