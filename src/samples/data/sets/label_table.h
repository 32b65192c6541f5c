#pragma once
// Tables of labels: which columns are the file and the label, and what each line says.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "data/sets/label_list.h"
#include "data/sets/label_words.h"

namespace culprit {

struct WrongLine {
  std::size_t line = 0;  ///< from 1
  std::string what;
};

/// Lines of a list, one after the other.
class LabelRows {
 public:
  /// `label` may be several, with `|` between them.
  void add(const std::string& file, const std::string& label, std::size_t line);
  /// All of these are right; none may be.
  void add_several(const std::string& file, std::vector<std::string> labels, std::size_t line);
  /// What is said in the file, as it stands there.
  void add_text(const std::string& file, const std::string& text, std::size_t line);
  /// The first line that makes no sense.
  [[nodiscard]] std::optional<WrongLine> wrong() const;
  [[nodiscard]] LabelList take() &&;

 private:
  void insert(const std::string& file, std::vector<std::string> labels, std::size_t line, const char* what = "labels");

  LabelList list_;
  std::optional<WrongLine> wrong_, without_label_;
};

/// What read_label_list (data/sets/label_list.h) says of tables.
tl::expected<LabelList, WrongLine> read_label_table(std::string_view text, const WantedColumn& wanted);

/// Does the first line name the file and this column?
bool names_column(std::string_view table, const WantedColumn& wanted);

}  // namespace culprit
