#include "base/csv.h"

#include <algorithm>
#include <utility>

#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view line_ends = "\r\n", blanks = " \t";

/// Lines of a text, one after the other.
class CsvText {
 public:
  CsvText(std::string_view text, CsvForm form) : text_(text), form_(form), ends_of_field_{form.separator, '\r', '\n'} {}

  [[nodiscard]] bool is_at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] std::size_t line() const { return line_; }  ///< the number of the one that comes next

  /// Reads a line, or says why it makes no sense; then the next one is the one below.
  std::optional<std::string> read(CsvFields& fields) {
    const std::size_t begin = at_;
    limit_ = vain_ < most_in_vain() ? text_.size() : std::min(text_.find_first_of(line_ends, at_), text_.size());
    fields.clear();
    std::optional<std::string> wrong;
    do {
      wrong = read_field(fields.emplace_back());
    } while (!wrong && skip_separator());
    if (wrong) {
      vain_ += at_ - begin;
      at_ = std::min(text_.find_first_of(line_ends, begin), text_.size());
    }
    line_ += 1 + line_ends_in(text_.substr(begin, at_ - begin));
    at_ += text_.substr(at_).starts_with("\r\n") ? 2 : 1;
    return wrong;
  }

 private:
  /// Lines are read again behind each one that makes no sense. What goes on for too long is read line by line.
  [[nodiscard]] std::size_t most_in_vain() const { return 4 * text_.size() + (std::size_t{64} << 20); }

  std::optional<std::string> read_field(std::string& field) {
    const std::size_t begin = at_;
    skip_blanks();
    if (form_.has_quotes && at_ < limit_ && text_[at_] == '"') return read_in_quotes(field);
    if (form_.keeps_blanks) at_ = begin;
    const std::size_t end = std::min(text_.find_first_of(ends_of_field_, at_), text_.size());
    field = text_.substr(at_, end - at_);
    if (!form_.keeps_blanks) field.erase(field.find_last_not_of(blanks) + 1);
    at_ = end;
    return std::nullopt;
  }

  std::optional<std::string> read_in_quotes(std::string& field) {
    do {
      const std::size_t begin = ++at_;
      at_ = std::min(text_.substr(0, limit_).find('"', begin), limit_);
      if (at_ == limit_) return "a field begins with a quote, and no quote ends it";
      field += text_.substr(begin, at_ - begin);
      ++at_;
    } while (at_ < limit_ && text_[at_] == '"' && (field += '"', true));
    skip_blanks();
    if (is_at_end() || contains(ends_of_field_, {&text_[at_], 1})) return std::nullopt;
    return "more follows the quote that ends a field; a quote inside such a field is written twice";
  }

  static std::size_t line_ends_in(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t i = text.find_first_of(line_ends); i != text.npos; i = text.find_first_of(line_ends, i + 1))
      count += text[i] == '\r' && text.substr(i + 1, 1) == "\n" ? 0 : 1;
    return count;
  }

  void skip_blanks() {
    while (!is_at_end() && text_[at_] != form_.separator && contains(blanks, {&text_[at_], 1})) ++at_;
  }

  bool skip_separator() {
    const bool is_there = !is_at_end() && text_[at_] == form_.separator;
    at_ += is_there ? 1 : 0;
    return is_there;
  }

  std::string_view text_;
  CsvForm form_;
  std::string ends_of_field_;
  std::size_t at_ = 0, line_ = 1, limit_ = 0, vain_ = 0;
};

/// `lose` tells whether to go on.
void read_csv_until(std::string_view text, CsvForm form, const TakeCsvLine& take,
                    const std::function<bool(CsvBreak)>& lose) {
  CsvText lines(text, form);
  CsvFields fields;
  while (!lines.is_at_end()) {
    const std::size_t line = lines.line();
    auto wrong = lines.read(fields);
    if (wrong && !lose({line, std::move(*wrong)})) return;
    const bool is_empty = fields.size() == 1 && fields.front().empty();
    if (!wrong && !is_empty) take(fields, line);
  }
}

}  // namespace

std::optional<std::size_t> column_called(const CsvFields& headings, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    const auto is_word = [&](const std::string& heading) { return lower_case(std::string(trim(heading))) == word; };
    const auto at = std::ranges::find_if(headings, is_word);
    if (at != headings.end()) return static_cast<std::size_t>(at - headings.begin());
  }
  return std::nullopt;
}

char separator_in(std::string_view text) {
  bool is_quoted = false;
  for (const char c : text.substr(std::min(text.size(), text.find_first_not_of("\r\n")))) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ',' || c == ';' || c == '\t') return c;
    if (c == '\n' || c == '\r') break;
  }
  return ',';
}

std::optional<CsvBreak> read_csv(std::string_view text, const TakeCsvLine& take, char separator) {
  std::optional<CsvBreak> broken;
  read_csv_until(text, {separator}, take, [&](CsvBreak at) {
    broken = std::move(at);
    return false;
  });
  return broken;
}

void read_csv_lines(std::string_view text, CsvForm form, const TakeCsvLine& take,
                    const std::function<void(const CsvBreak&)>& lose) {
  read_csv_until(text, form, take, [&](const CsvBreak& at) {
    lose(at);
    return true;
  });
}

}  // namespace culprit
