#include "trial/failure_signature.h"

#include <array>
#include <cctype>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t longest = 200;
constexpr std::array<std::string_view, 7> labels = {"name",   "input",       "output", "node",
                                                    "tensor", "initializer", "graph"};
constexpr std::string_view list_label = "references";  // the optimizer's "Unresolved value references: a,b,"

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Reads a message from left to right and writes what is general about it.
class Normalizer {
 public:
  explicit Normalizer(std::string_view text) : text_(text) {}

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
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return false;
    out_ += '*';
    at_ = end + 1;
    return true;
  }

  /// /usr/src/file.cc:46; onnxoptimizer/passes/file.h:46 of a library that was built to name its files so
  bool path() {
    const bool is_whole = here() == '/' && at_ + 1 < text_.size() && is_word(text_[at_ + 1]);
    if (!starts_word() || (!is_whole && !is_word(here()))) return false;
    std::size_t end = at_;
    while (end < text_.size() && !is_space(text_[end]) && text_[end] != ')' && text_[end] != ',') ++end;
    const std::string_view read = text_.substr(at_, end - at_);
    if (read.find('/', 1) == std::string_view::npos || (!is_whole && !is_line_of_source(read))) return false;
    out_ += '*';
    at_ = end;
    return true;
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

std::string normalized(std::string_view text) { return Normalizer(text).run(); }

std::string signature_of(Verdict verdict, const std::string& culprit,
                         const std::map<std::string, std::int64_t>& ops_changed, const std::string& normalized_error,
                         const std::string& level) {
  const std::string failure = std::string(name_of(verdict)) + (level.empty() ? "" : " at " + level);
  const std::vector<std::string> parts = {failure, culprit, ops_text(ops_changed), normalized_error};
  return join(parts, " | ");
}

}  // namespace culprit
