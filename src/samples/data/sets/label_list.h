#pragma once
// Lists of labels: which file shows what.

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sets/label_words.h"

namespace culprit {

struct ListedLabel {
  std::string text;
  std::size_t line = 0;  ///< where it stands in the list, from 1
};

/// What a line says of a file.
struct ListedFile {
  std::vector<ListedLabel> labels;  ///< one; of a list in which several may be right, all that are
  std::size_t line = 0;
};

struct LabelList {
  std::map<std::string, ListedFile, std::less<>> files;  ///< by their names, as the list spells them
  bool are_several = false;                              ///< of a file several labels may be right, or none
  std::vector<std::string> columns;                      ///< where each class has a column of 0 and 1: the classes
  std::string read_as;  ///< how lines are read where they are no plain pairs, for people; ""
};

/// Lists as people have them. A .jsonl has one object a line with the keys "file" (or "image", "path", "filename" ...)
/// and "label" (or "class", "category" ...); a list of labels, as ["cat", "dog"], says that all of them are right. In a
/// table a comma, a semicolon or a tab separates the columns: the first of these in the first line. It has two columns,
/// file and label; or a line of headings that says which columns these are; or a heading for the file and, for each
/// class, a column of 0 and 1. `cat|dog` in the place of a label says that both are right, and then an empty place says
/// that none is. Text is UTF-8 with or without a mark, or UTF-16 with one. A file that is named twice with different
/// labels is an error, as is a line that makes no sense: the message has its number. Of what is said in files, which is
/// asked for with `said_column()`, headings must tell, and a `|` is part of it.
Result<LabelList> read_label_list(const std::filesystem::path& path, const WantedColumn& wanted = label_column());

/// Do the headings of a table name this column, or has an object of a .jsonl such a key?
Result<bool> list_has(const std::filesystem::path& path, const WantedColumn& wanted);

/// The text of a list, in UTF-8 and without a mark. Errors: it cannot be read, or is UTF-16 that makes no sense.
Result<std::string> read_list_text(const std::filesystem::path& path, std::uint64_t most_bytes);

}  // namespace culprit
