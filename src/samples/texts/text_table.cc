// Tables of texts: a line of headings, then a text in each line.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "texts/text_fields.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

using Place = std::optional<std::size_t>;

class TextTable {
 public:
  TextTable(std::string_view bytes, std::string name, CsvForm form) : name_(std::move(name)), form_(form) {
    form_.keeps_blanks = true;
    set_.kind = form.has_quotes ? "table" : "table, its quotes read as characters";
    read_csv_lines(
        bytes, form_, [&](const CsvFields& fields, std::size_t line) { take(fields, line); },
        [&](const CsvBreak& broken) { lose(broken); });
  }

  [[nodiscard]] bool has_texts() const { return text_.has_value(); }
  [[nodiscard]] std::int64_t lost() const { return set_.left_out.count(); }
  [[nodiscard]] std::int64_t doubtful() const { return doubtful_; }

  Result<TextSet> take_set() && {
    if (columns_ > 0 && !text_)
      return fail(
          ErrorKind::bad_input, fmt::format("{}: no column is called as texts are", printable(name_)),
          fmt::format("the first line names the columns, such as `text,label`; a text is called {}", text_headings()));
    return std::move(set_);
  }

 private:
  void take(const CsvFields& fields, std::size_t line) {
    if (columns_ == 0) return take_headings(fields);
    if (!text_) return;
    const std::string place = fmt::format("{}:{}", name_, line);
    if (fields.size() != columns_) {
      set_.left_out.add(place, fmt::format("it has {} columns, and the headings are {}", fields.size(), columns_));
      return;
    }
    doubtful_ += std::ranges::any_of(fields, [&](const std::string& field) { return is_doubtful(field); }) ? 1 : 0;
    TextItem item{name_at_ ? std::string(trim(fields[*name_at_])) : place, fields[*text_]};
    if (item.name.empty()) item.name = place;
    if (context_) item.context = fields[*context_];
    if (class_) item.label = std::string(trim(fields[*class_]));
    if (right_) item.right = std::vector<std::string>{fields[*right_]};
    if (item.right && trim(item.right->front()).empty()) item.right->clear();
    // "Nothing" may be the answer to a question, and is no continuation of a text.
    if (item.right && item.right->empty() && !set_.are_questions) item.right.reset();
    set_.may_have_no_answer |= item.right && item.right->empty();
    take_text(set_, std::move(item));
  }

  void lose(const CsvBreak& broken) { set_.left_out.add(fmt::format("{}:{}", name_, broken.line), broken.what); }

  /// In quotes may stand what separates fields and lines. Both in one field are rather two lines with a bare quote
  /// each.
  [[nodiscard]] bool is_doubtful(std::string_view field) const {
    return contains(field, "\n") && contains(field, {&form_.separator, 1});
  }

  void take_headings(const CsvFields& fields) {
    columns_ = fields.size();
    text_ = column_called(fields, text_words);
    context_ = column_called(fields, context_words);
    class_ = column_called(fields, class_words);
    right_ = column_called(fields, right_words);
    name_at_ = column_called(fields, name_words);
    set_.are_questions = context_.has_value();
  }

  std::string name_;
  CsvForm form_;
  TextSet set_;
  std::int64_t doubtful_ = 0;
  std::size_t columns_ = 0;
  Place text_, context_, class_, right_, name_at_;
};

}  // namespace

Result<TextSet> read_text_table(std::string_view bytes, const std::string& name, char separator) {
  TextTable table(bytes, name, {separator});
  // Many tables with tabs are written without quoting, such as those of GLUE.
  if (separator == '\t' && table.lost() + table.doubtful() > 0) {
    TextTable plain(bytes, name, {separator, false});
    if (plain.has_texts() && plain.lost() < table.lost() + table.doubtful()) return std::move(plain).take_set();
  }
  return std::move(table).take_set();
}

}  // namespace culprit
