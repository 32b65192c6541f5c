#include "trial/failure_signature.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t longest = 200;
constexpr std::array<std::string_view, 7> labels = {"name",   "input",       "output", "node",
                                                    "tensor", "initializer", "graph"};
constexpr std::array<std::string_view, 14> file_endings = {".onnx",   ".data",  ".pb",   ".npz", ".npy",
                                                           ".tflite", ".keras", ".bin",  ".so",  ".py",
                                                           ".json",   ".log",   ".yaml", ".txt"};
// Behind the name of a folder they are the words of a sentence, and not of a path that has spaces.
constexpr std::array<std::string_view, 32> sentence_words = {
    "a",      "an",   "and",    "are",  "as",  "at",    "be", "because", "but",     "by",  "can",
    "cannot", "does", "failed", "for",  "has", "in",    "is", "it",      "missing", "no",  "not",
    "of",     "on",   "or",     "that", "the", "there", "to", "was",     "while",   "with"};
constexpr std::string_view list_label = "references";  // the optimizer's "Unresolved value references: a,b,"

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Reads a message from left to right and writes what is general about it.
class Normalizer {
 public:
  Normalizer(std::string_view text, std::span<const std::string> places) : text_(text), places_(places) {}

  std::string run() {
    while (at_ < text_.size() && out_.size() < longest) {
      if (!quoted() && !path() && !node_in_brackets() && !number() && !word()) plain();
    }
    if (out_.size() > longest) out_.resize(longest);
    return std::string(trim(out_));
  }

 private:
  [[nodiscard]] char here() const { return text_[at_]; }
  [[nodiscard]] bool starts_word() const { return at_ == 0 || !is_word(text_[at_ - 1]); }

  /// 'name', "name", `name`; an apostrophe inside a word ("doesn't") opens nothing.
  bool quoted() {
    const char quote = here();
    if ((quote != '\'' && quote != '"' && quote != '`') || !starts_word()) return false;
    auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return false;
    if (at_ + 1 < text_.size() && text_[at_ + 1] == '/') end = end_of_quoted_path(quote, end);
    out_ += '*';
    at_ = end + 1;
    return true;
  }

  /// The quote behind '/home/o'brien/a.onnx', whose first one is inside of a word.
  [[nodiscard]] std::size_t end_of_quoted_path(char quote, std::size_t first) const {
    for (auto end = first; end != std::string_view::npos; end = text_.find(quote, end + 1))
      if (end + 1 >= text_.size() || !is_word(text_[end + 1])) return end;
    return first;
  }

  /// /usr/src/file.cc:46; onnxoptimizer/passes/file.h:46 of a library that was built to name its files so
  bool path() {
    const bool is_whole = here() == '/' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
    if (!starts_word() || (!is_whole && !is_word(here()))) return false;
    std::size_t end = end_of_token(at_ + (is_whole ? length_of_place() : 0));
    if (is_whole) end = end_behind_spaces(end);
    const std::string_view read = text_.substr(at_, end - at_);
    if (read.find('/', 1) == std::string_view::npos || (!is_whole && !is_line_of_source(read))) return false;
    out_ += '*';
    at_ = end;
    return true;
  }

  [[nodiscard]] std::size_t end_of_token(std::size_t from) const {
    while (from < text_.size() && !is_space(text_[from]) && text_[from] != ')' && text_[from] != ',') ++from;
    return from;
  }

  /// Of the longest known place that stands here: a space in it does not end the path.
  [[nodiscard]] std::size_t length_of_place() const {
    std::size_t length = 0;
    for (const std::string& place : places_) {
      const std::size_t end = at_ + place.size();
      const bool is_here = text_.substr(at_).starts_with(place) && (end >= text_.size() || !is_word(text_[end]));
      if (is_here) length = std::max(length, place.size());
    }
    return length;
  }

  /// The end of "/home/me/my models/a.onnx", of which `end` is that of "/home/me/my". A folder that is followed by the
  /// words of a sentence ends where it ends.
  [[nodiscard]] std::size_t end_behind_spaces(std::size_t end) const {
    constexpr int most_words = 3;
    if (has_ending(text_.substr(at_, end - at_))) return end;
    std::size_t at = end;
    for (int i = 0; i < most_words && at + 1 < text_.size() && text_[at] == ' '; ++i) {
      const std::size_t next = end_of_token(at + 1);
      const std::string_view token = text_.substr(at + 1, next - at - 1);
      const bool is_of_path = std::ranges::all_of(
          token, [](char c) { return is_word(c) || std::string_view("/.-+:").find(c) != std::string_view::npos; });
      if (!is_of_path || token.empty() || token.front() == '/' || is_of_sentence(token)) return end;
      const bool goes_on = token.find('/') != std::string_view::npos || i == 0;
      if (has_file_ending(token)) return goes_on ? next : end;
      at = next;
    }
    return end;
  }

  static bool is_of_sentence(std::string_view token) {
    return std::ranges::find(sentence_words, token) != sentence_words.end();
  }

  /// Such as a.onnx and /usr/lib/x-1.2: no folder that has a space in its name.
  static bool has_ending(std::string_view path) {
    const auto name = path.substr(path.rfind('/') + 1);
    return name.find('.', 1) != std::string_view::npos || path.ends_with(':');
  }

  static bool has_file_ending(std::string_view token) {
    while (token.ends_with(':') || token.ends_with('.')) token.remove_suffix(1);
    return std::ranges::any_of(file_endings, [&](std::string_view ending) { return token.ends_with(ending); });
  }

  /// a/b.h:46, and what follows a colon behind that.
  static bool is_line_of_source(std::string_view text) {
    for (const std::string_view ending : {".h:", ".hpp:", ".cc:", ".cpp:"}) {
      const auto at = text.find(ending);
      if (at != std::string_view::npos && at + ending.size() < text.size() && is_digit(text[at + ending.size()]))
        return true;
    }
    return false;
  }

  /// ONNX Runtime's "Node (conv1)"
  bool node_in_brackets() {
    constexpr std::string_view opening = "Node (";
    if (!text_.substr(at_).starts_with(opening)) return false;
    const auto end = text_.find(')', at_);
    if (end == std::string_view::npos) return false;
    out_ += "Node (*)";
    at_ = end + 1;
    return true;
  }

  /// 12, -3, 0.5, 1e-5, 0x7f.. as they stand alone; the 2 of Conv2 belongs to a word.
  bool number() {
    std::size_t end = at_;
    if ((here() == '-' || here() == '+') && starts_word()) ++end;
    if (end >= text_.size() || !is_digit(text_[end]) || (end == at_ && !starts_word())) return false;
    while (end < text_.size() &&
           (is_word(text_[end]) || (text_[end] == '.' && end + 1 < text_.size() && is_digit(text_[end + 1])) ||
            ((text_[end] == '-' || text_[end] == '+') && (text_[end - 1] == 'e')))) {
      ++end;
    }
    out_ += '#';
    at_ = end;
    return true;
  }

  /// A word, and where it is a label ("name: conv1"), what it labels.
  bool word() {
    if (!is_word(here())) return false;
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(here())) ++at_;
    const auto read = text_.substr(start, at_ - start);
    out_ += read;
    for (const std::string_view label : labels) {
      if (read == label) skip_labelled(",)");
    }
    if (read == list_label) skip_labelled("");
    if (read == "Input") skip_undefined();
    return true;
  }

  /// The optimizer's "Input conv1 is undefined!"
  void skip_undefined() {
    const auto end = text_.find(" is undefined", at_);
    if (at_ >= text_.size() || text_[at_] != ' ' || end == std::string_view::npos || end <= at_) return;
    if (text_.substr(at_ + 1, end - at_ - 1).find(' ') != std::string_view::npos) return;
    out_ += " *";
    at_ = end;
  }

  /// The word behind the label, up to a space or one of `ends`.
  void skip_labelled(std::string_view ends) {
    std::size_t value = at_;
    if (value >= text_.size() || text_[value] != ':') return;
    ++value;
    while (value < text_.size() && is_space(text_[value])) ++value;
    if (value >= text_.size() || (!is_word(text_[value]) && text_[value] != '/')) return;
    while (value < text_.size() && !is_space(text_[value]) && ends.find(text_[value]) == std::string_view::npos)
      ++value;
    if (text_[value - 1] == ':') return;  // the next label: nothing stands between them
    out_ += ": *";
    at_ = value;
  }

  void plain() {
    const char c = text_[at_++];
    if (!is_space(c)) {
      out_ += c;
    } else if (!out_.empty() && out_.back() != ' ') {
      out_ += ' ';
    }
  }

  std::string_view text_;
  std::span<const std::string> places_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string ops_text(const std::map<std::string, std::int64_t>& ops_changed) {
  std::vector<std::string> before, after;
  for (const auto& [op, change] : ops_changed) (change < 0 ? before : after).push_back(op);
  if (ops_changed.empty()) return "";
  return join(before, ", ") + " -> " + join(after, ", ");
}

}  // namespace

std::string normalized(std::string_view text, std::span<const std::string> places) {
  return Normalizer(text, places).run();
}

std::string signature_of(Verdict verdict, const std::string& culprit,
                         const std::map<std::string, std::int64_t>& ops_changed, const std::string& normalized_error,
                         const std::string& level) {
  const std::string failure = std::string(name_of(verdict)) + (level.empty() ? "" : " at " + level);
  const std::vector<std::string> parts = {failure, culprit, ops_text(ops_changed), normalized_error};
  return join(parts, " | ");
}

}  // namespace culprit
