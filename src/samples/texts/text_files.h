#pragma once
// Texts of data sets, as their files have them: tables and lines of JSON, folders of .txt as IMDB's, and SQuAD's JSON.
// What cannot be used is left out, counted, and listed with the reason; the rest is as good as before.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// One text, and what is known to be right of it.
struct TextItem {
  std::string name;          ///< for people: "pos/12_8.txt", "reviews.csv:17", the id of a question
  std::string text;          ///< what is classified or continued; of a question: the question
  std::string context = {};  ///< where the answer to it is sought; "" where it is no question
  std::string label = {};    ///< the class, as the data spell it; "" where nobody knows
  /// Texts of which any is right: answers, or a continuation. None: it is right to say nothing. Absent: nobody knows.
  std::optional<std::vector<std::string>> right = {};
};

struct LeftOutText {
  std::string name, reason;
};

/// Texts that are left out: all are counted, the first are listed.
class LeftOutTexts {
 public:
  static constexpr std::size_t most_listed = 100;
  void add(std::string name, std::string reason);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const std::vector<LeftOutText>& listed() const { return listed_; }

 private:
  std::int64_t count_ = 0;
  std::vector<LeftOutText> listed_;
};

struct TextSet {
  std::string kind;  ///< "SQuAD 2.0", "folders of texts", "table", "lines of JSON", "Hugging Face dataset, split test"
  std::vector<TextItem> items;
  LeftOutTexts left_out;
  std::vector<std::string> classes;  ///< in the order of their numbers, where the data say so; else none
  bool labels_are_folders = false;   ///< each is the name of the folder in which the text lies
  bool are_questions = false;        ///< every item has a context
  bool may_have_no_answer = false;   ///< for some questions it is right to say nothing: SQuAD 2.0
};

/// Does the path look like texts: a file .csv, .tsv, .jsonl or .json, a folder of .txt or of folders of them, or a
/// saved data set of Hugging Face? No file is read for it.
bool may_be_texts(const std::filesystem::path& path);

/// Reads them all. Labels of folders are the names of folders. Items keep the order of the files: sorted by name, and
/// as they stand in a file. Errors: bad_input (not readable as any of the formats, with the line; nothing usable in it,
/// with the first reason; two splits in one folder), io.
Result<TextSet> read_texts(const std::filesystem::path& path);

}  // namespace culprit
