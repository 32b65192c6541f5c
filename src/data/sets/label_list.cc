#include "data/sets/label_list.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/csv.h"
#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr std::array file_words = {"file", "image", "path", "filename"};
constexpr std::array label_words = {"label", "class", "category"};

bool is_among(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

tl::unexpected<Error> wrong(const std::filesystem::path& path, std::size_t line, const std::string& what) {
  return fail(
      ErrorKind::bad_input, printable(path.string()) + ", line " + std::to_string(line) + ": " + what,
      "a list of labels has lines like cat1.jpg,cat (.csv) or {\"file\": \"cat1.jpg\", \"label\": \"cat\"} (.jsonl)");
}

/// What is wrong with it, or "".
std::string add(LabelList& labels, const std::string& file, const std::string& label, std::size_t line) {
  if (file.empty() || label.empty()) return "the file or the label is empty";
  const auto [at, is_new] = labels.emplace(file, ListedLabel{label, line});
  if (is_new || at->second.text == label) return "";
  return "'" + printable(file, 100) + "' has two labels, '" + printable(at->second.text, 60) + "' and '" +
         printable(label, 60) + "'";
}

Result<LabelList> read_lines(const std::filesystem::path& path, std::string_view text) {
  LabelList labels;
  std::string first_wrong;
  std::size_t wrong_line = 0;
  const auto broken = read_csv(text, [&](const CsvFields& fields, std::size_t line) {
    const bool is_pair = fields.size() == 2;
    const bool is_heading = line == 1 && is_pair && is_among(file_words, fields[0]) && is_among(label_words, fields[1]);
    if (!first_wrong.empty() || is_heading) return;
    first_wrong = is_pair ? add(labels, fields[0], fields[1], line)
                          : "it has " + std::to_string(fields.size()) + " columns, and not 2";
    wrong_line = line;
  });
  if (!first_wrong.empty()) return wrong(path, wrong_line, first_wrong);
  if (broken) return wrong(path, broken->line, "its quotes do not match (" + broken->what + ")");
  return labels;
}

/// What stands under one of these keys: a text, a whole number, or what is wrong with it.
struct LabelField {
  std::string text, wrong;
};

/// `what`: "file" or "label", for the message.
LabelField field_under(const Json& object, const auto& words, const std::string& what) {
  for (const char* word : words) {
    const auto at = object.find(word);
    if (at == object.end()) continue;
    if (at->is_string()) return {at->template get<std::string>(), ""};
    if (at->is_number_integer() || at->is_number_float()) return {at->dump(), ""};
    return {"", "its \"" + std::string(word) + "\" is " + printable(at->dump(-1, ' ', true), 60) +
                    ", and neither a text nor a number"};
  }
  return {"", "it has no \"" + what + "\""};
}

Result<LabelList> read_jsonl(const std::filesystem::path& path, std::string_view text) {
  LabelList labels;
  const auto lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const Json object = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) return wrong(path, i + 1, "it is no JSON object");
    const LabelField file = field_under(object, file_words, "file"), label = field_under(object, label_words, "label");
    for (const LabelField& field : {file, label})
      if (!field.wrong.empty()) return wrong(path, i + 1, field.wrong);
    if (const std::string what = add(labels, file.text, label.text, i + 1); !what.empty())
      return wrong(path, i + 1, what);
  }
  return labels;
}

}  // namespace

Result<LabelList> read_label_list(const std::filesystem::path& path) {
  const auto text = read_file(path, std::uint64_t{1} << 30);
  if (!text) return tl::unexpected(text.error());
  const std::string_view lines = without_byte_order_mark(*text);
  auto labels = path.extension() == ".jsonl" ? read_jsonl(path, lines) : read_lines(path, lines);
  if (labels && labels->empty())
    return fail(ErrorKind::bad_input, printable(path.string()) + " holds no labels",
                "each line is a file and its label");
  return labels;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace culprit
