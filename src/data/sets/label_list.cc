#include "data/sets/label_list.h"

#include <csv.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using Labels = std::map<std::string, std::string, std::less<>>;
using Json = nlohmann::json;

constexpr std::array file_words = {"file", "image", "path", "filename"};
constexpr std::array label_words = {"label", "class", "category"};

bool is_one_of(const auto& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

tl::unexpected<Error> wrong(const std::filesystem::path& path, std::size_t line, const std::string& what) {
  return fail(
      ErrorKind::bad_input, printable(path.string()) + ", line " + std::to_string(line) + ": " + what,
      "a list of labels has lines like cat1.jpg,cat (.csv) or {\"file\": \"cat1.jpg\", \"label\": \"cat\"} (.jsonl)");
}

/// What is wrong with it, or "".
std::string add(Labels& labels, const std::string& file, const std::string& label) {
  if (file.empty() || label.empty()) return "the file or the label is empty";
  const auto [at, is_new] = labels.emplace(file, label);
  if (is_new || at->second == label) return "";
  return "'" + printable(file, 100) + "' has two labels, '" + printable(at->second, 60) + "' and '" +
         printable(label, 60) + "'";
}

/// The fields of a line, as libcsv finds them.
struct Rows {
  std::vector<std::string> fields;
  std::size_t line = 1;
  Labels labels;
  std::string wrong;  // the first thing
  std::size_t wrong_line = 0;
};

void end_of_field(void* bytes, std::size_t size, void* rows) {
  static_cast<Rows*>(rows)->fields.emplace_back(static_cast<const char*>(bytes), size);
}

void end_of_row(int /*last*/, void* of) {
  Rows& rows = *static_cast<Rows*>(of);
  const std::vector<std::string> fields = std::exchange(rows.fields, {});
  const std::size_t line = rows.line++;
  if (!rows.wrong.empty() || (fields.size() == 1 && fields[0].empty())) return;
  if (line == 1 && fields.size() == 2 && is_one_of(file_words, fields[0]) && is_one_of(label_words, fields[1])) return;
  rows.wrong = fields.size() == 2 ? add(rows.labels, fields[0], fields[1])
                                  : "it has " + std::to_string(fields.size()) + " columns, and not 2";
  if (!rows.wrong.empty()) rows.wrong_line = line;
}

Result<Labels> read_csv(const std::filesystem::path& path, const std::string& text) {
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0)
    return fail(ErrorKind::internal, "libcsv does not start");
  Rows rows;
  const std::size_t taken = csv_parse(&parser, text.data(), text.size(), end_of_field, end_of_row, &rows);
  const bool is_whole = taken == text.size() && csv_fini(&parser, end_of_field, end_of_row, &rows) == 0;
  const std::string error = is_whole ? "" : csv_strerror(csv_error(&parser));
  csv_free(&parser);
  if (!rows.wrong.empty()) return wrong(path, rows.wrong_line, rows.wrong);
  if (!is_whole) return wrong(path, rows.line, "its quotes do not match (" + error + ")");
  return std::move(rows.labels);
}

/// A text or a number under one of these keys.
std::optional<std::string> text_under(const Json& object, const auto& words) {
  for (const char* word : words) {
    const auto at = object.find(word);
    if (at == object.end()) continue;
    if (at->is_string()) return at->template get<std::string>();
    if (at->is_number_integer()) return std::to_string(at->template get<std::int64_t>());
  }
  return std::nullopt;
}

Result<Labels> read_jsonl(const std::filesystem::path& path, const std::string& text) {
  Labels labels;
  const auto lines = split(text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const Json object = Json::parse(lines[i], nullptr, /*allow_exceptions=*/false);
    if (!object.is_object()) return wrong(path, i + 1, "it is no JSON object");
    const auto file = text_under(object, file_words);
    const auto label = text_under(object, label_words);
    if (!file || !label) return wrong(path, i + 1, std::string("it has no \"") + (file ? "label" : "file") + "\"");
    if (const std::string what = add(labels, *file, *label); !what.empty()) return wrong(path, i + 1, what);
  }
  return labels;
}

}  // namespace

Result<Labels> read_label_list(const std::filesystem::path& path) {
  const auto text = read_file(path, std::uint64_t{1} << 30);
  if (!text) return tl::unexpected(text.error());
  auto labels = path.extension() == ".jsonl" ? read_jsonl(path, *text) : read_csv(path, *text);
  if (labels && labels->empty())
    return fail(ErrorKind::bad_input, printable(path.string()) + " holds no labels",
                "each line is a file and its label");
  return labels;
}

}  // namespace culprit
