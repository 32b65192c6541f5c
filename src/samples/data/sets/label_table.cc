#include "data/sets/label_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/text.h"

namespace culprit {
namespace {

std::string all_of(const ListedFile& file) {
  std::vector<std::string> texts;
  for (const ListedLabel& label : file.labels) texts.push_back(printable(label.text, 60));
  return join(texts, "|");
}

std::optional<bool> yes_or_no(std::string_view field) {
  if (is_one_of(field, {"0", "0.0"})) return false;
  if (is_one_of(field, {"1", "1.0"})) return true;
  return std::nullopt;
}

class Table {
 public:
  explicit Table(const WantedColumn& wanted) : wanted_(wanted) {}

  void take(const CsvFields& fields, std::size_t line) {
    if (wrong_) return;
    if (std::exchange(is_first_, false) && is_heading(fields)) return;
    if (fields.size() != columns_) {
      wrong_ = {line, fmt::format("it has {} column{}, {} {}", fields.size(), fields.size() == 1 ? "" : "s",
                                  headings_.empty() ? "and not" : "and the headings are", columns_)};
    } else if (has_class_columns_) {
      take_classes(fields, line);
    } else if (wanted_.is_plain_text) {
      rows_.add_text(fields[file_], fields[label_], line);
    } else {
      rows_.add(fields[file_], fields[label_], line);
    }
  }

  tl::expected<LabelList, WrongLine> list() && {
    const auto of_rows = rows_.wrong();
    if (of_rows && (!wrong_ || of_rows->line < wrong_->line)) wrong_ = of_rows;
    if (wrong_) return tl::unexpected(*wrong_);
    LabelList list = std::move(rows_).take();
    if (has_class_columns_) {
      list.columns = headings_;
      list.columns.erase(list.columns.begin() + static_cast<std::ptrdiff_t>(file_));
      list.are_several = true;
      list.read_as =
          fmt::format("a column of 0 and 1 for each class, the file in '{}'", printable(headings_[file_], 60));
    } else if (headings_.size() > 2) {
      list.read_as = fmt::format("of {} columns '{}' is the file and '{}' the {}", headings_.size(),
                                 printable(headings_[file_], 60), printable(headings_[label_], 60), wanted_.what);
    }
    return list;
  }

 private:
  bool is_heading(const CsvFields& fields) {
    const auto file = column_called(fields, file_words), label = column_called(fields, wanted_.words);
    if (!file || (!label && fields.size() < 3)) return false;
    columns_ = fields.size();
    file_ = *file;
    label_ = label.value_or(0);
    has_class_columns_ = !label;
    headings_ = fields;
    const std::set<std::string> distinct(fields.begin(), fields.end());
    if (has_class_columns_ && distinct.size() < fields.size()) wrong_ = {1, "two columns have the same heading"};
    return true;
  }

  void take_classes(const CsvFields& fields, std::size_t line) {
    std::vector<std::string> right;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (i == file_) continue;
      const auto is_right = yes_or_no(trim(fields[i]));
      if (!is_right) {
        wrong_ = {line, fmt::format("the column '{}' holds '{}', and not 0 or 1: no heading is called `label`, so each "
                                    "column is taken for a class",
                                    printable(headings_[i], 60), printable(fields[i], 60))};
        return;
      }
      if (*is_right) right.push_back(headings_[i]);
    }
    rows_.add_several(fields[file_], std::move(right), line);
  }

  const WantedColumn& wanted_;
  LabelRows rows_;
  CsvFields headings_;
  std::size_t columns_ = 2, file_ = 0, label_ = 1;
  bool is_first_ = true, has_class_columns_ = false;
  std::optional<WrongLine> wrong_;
};

}  // namespace

void LabelRows::add(const std::string& file, const std::string& label, std::size_t line) {
  std::vector<std::string> labels;
  for (const std::string& one : split(label, '|')) labels.emplace_back(trim(one));
  if (label.find('|') == label.npos) labels = {label};
  list_.are_several |= labels.size() > 1;
  const bool is_empty = std::ranges::any_of(labels, &std::string::empty);
  const bool may_be_none = labels.size() == 1;
  if (is_empty && !may_be_none && !wrong_) wrong_ = {line, "between two | there is no label"};
  if (is_empty && may_be_none && !without_label_) without_label_ = {line, "the file or the label is empty"};
  if (is_empty) labels.clear();
  insert(file, std::move(labels), line);
}

void LabelRows::add_several(const std::string& file, std::vector<std::string> labels, std::size_t line) {
  list_.are_several = true;
  insert(file, std::move(labels), line);
}

void LabelRows::add_text(const std::string& file, const std::string& text, std::size_t line) {
  insert(file, {text}, line, "texts");
}

void LabelRows::insert(const std::string& file, std::vector<std::string> labels, std::size_t line, const char* what) {
  if (wrong_) return;
  if (file.empty()) {
    wrong_ = {line, "the file or the label is empty"};
    return;
  }
  ListedFile listed{{}, line};
  for (std::string& label : labels) listed.labels.push_back({std::move(label), line});
  const auto [at, is_new] = list_.files.emplace(file, listed);
  if (is_new || std::ranges::equal(at->second.labels, listed.labels, {}, &ListedLabel::text, &ListedLabel::text))
    return;
  wrong_ = {line, fmt::format("'{}' has two {}, '{}' and '{}'", printable(file, 100), what, all_of(at->second),
                              all_of(listed))};
}

std::optional<WrongLine> LabelRows::wrong() const {
  if (without_label_ && !list_.are_several && (!wrong_ || without_label_->line <= wrong_->line)) return without_label_;
  return wrong_;
}

LabelList LabelRows::take() && { return std::move(list_); }

tl::expected<LabelList, WrongLine> read_label_table(std::string_view text, const WantedColumn& wanted) {
  Table table(wanted);
  const auto broken = read_csv(
      text, [&](const CsvFields& fields, std::size_t line) { table.take(fields, line); }, separator_in(text));
  auto list = std::move(table).list();
  if (list && broken) return tl::unexpected(WrongLine{broken->line, "its quotes do not match (" + broken->what + ")"});
  return list;
}

bool names_column(std::string_view table, const WantedColumn& wanted) {
  std::optional<bool> is_named;
  const auto look = [&](const CsvFields& fields, std::size_t /*line*/) {
    if (!is_named) is_named = column_called(fields, file_words) && column_called(fields, wanted.words);
  };
  const std::string_view from_first_line = table.substr(std::min(table.size(), table.find_first_not_of("\r\n")));
  read_csv(from_first_line.substr(0, from_first_line.find('\n')), look, separator_in(table));
  return is_named.value_or(false);
}

}  // namespace culprit
