#include "data/dim_names.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string_view>

namespace culprit {
namespace {

constexpr std::size_t longest = 500;       // characters of a formula: names come from strangers, and this one recurses
constexpr std::int64_t largest = 1 << 30;  // of any intermediate number

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::int64_t divided_down(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

/// Recursive descent; `is_wrong` once the text is no formula, `is_open` once a name has no size.
class Parser {
 public:
  using Find = std::function<std::optional<std::int64_t>(const std::string&)>;
  Parser(std::string_view text, Find find) : text_(text), find_(std::move(find)) {}

  std::int64_t parse() {
    const std::int64_t value = text_.size() > longest ? wrong() : sum();
    skip();
    if (at_ != text_.size()) is_wrong_ = true;
    return value;
  }
  [[nodiscard]] bool is_wrong() const { return is_wrong_; }
  [[nodiscard]] bool has_value() const { return !is_wrong_ && !is_open_; }
  [[nodiscard]] bool has_operator() const { return has_operator_; }

 private:
  std::int64_t wrong() {
    is_wrong_ = true;
    return 0;
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::int64_t bounded(std::int64_t value) {
    if (value > largest || value < -largest) is_open_ = true;
    return is_open_ ? 0 : value;
  }

  std::int64_t sum() {
    std::int64_t value = product();
    while (!is_wrong_) {
      if (take("+")) {
        has_operator_ = true;
        value = bounded(value + product());
      } else if (take("-")) {
        has_operator_ = true;
        value = bounded(value - product());
      } else {
        break;
      }
    }
    return value;
  }

  std::int64_t product() {
    std::int64_t value = factor();
    while (!is_wrong_) {
      if (take("*")) {
        has_operator_ = true;
        value = bounded(value * factor());
      } else if (take("//") || take("/")) {
        has_operator_ = true;
        const std::int64_t by = factor();
        if (by == 0) is_open_ = true;
        value = by == 0 ? 0 : divided_down(value, by);
      } else {
        break;
      }
    }
    return value;
  }

  std::int64_t factor() {
    if (take("(")) {
      const std::int64_t value = sum();
      return take(")") ? value : wrong();
    }
    skip();
    if (at_ < text_.size() && is_digit(text_[at_])) return whole_number();
    if (at_ < text_.size() && is_letter(text_[at_])) return name_or_call();
    return wrong();
  }

  std::int64_t whole_number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_)
      value = std::min(value * 10 + (text_[at_] - '0'), largest);
    return at_ < text_.size() && is_letter(text_[at_]) ? wrong() : value;
  }

  /// A hyphen between two letters belongs to the name.
  [[nodiscard]] bool goes_on() const {
    const char c = text_[at_];
    if (is_letter(c) || is_digit(c) || c == '.' || c == ':') return true;
    return c == '-' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]) && is_letter(text_[at_ - 1]);
  }

  std::int64_t name_or_call() {
    const std::size_t from = at_;
    while (at_ < text_.size() && goes_on()) ++at_;
    std::string name(text_.substr(from, at_ - from));
    if (at_ < text_.size() && text_[at_] == '(') return call(name);
    const auto size = find_(name);
    if (!size) is_open_ = true;
    return size.value_or(0);
  }

  std::int64_t call(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    take("(");
    has_operator_ = true;
    std::int64_t value = sum();
    while (!is_wrong_ && take(",")) {
      const std::int64_t other = sum();
      if (name == "min") value = std::min(value, other);
      if (name == "max") value = std::max(value, other);
    }
    const bool known = name == "min" || name == "max" || name == "floor" || name == "ceil" || name == "int";
    return known && take(")") ? value : wrong();
  }

  std::string_view text_;
  Find find_;
  std::size_t at_ = 0;
  bool is_wrong_ = false, is_open_ = false, has_operator_ = false;
};

}  // namespace

std::vector<std::string> names_in(const std::string& dimension) {
  std::vector<std::string> names;
  Parser parser(dimension, [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return std::optional<std::int64_t>(1);
  });
  parser.parse();
  if (parser.is_wrong() || !parser.has_operator()) return {dimension};
  return names;
}

bool is_formula(const std::string& dimension) {
  const auto names = names_in(dimension);
  return names.size() != 1 || names.front() != dimension;
}

std::optional<std::int64_t> evaluate(const std::string& dimension, const Sizes& sizes) {
  if (const auto own = sizes.find(dimension); own != sizes.end()) return own->second;
  if (!is_formula(dimension)) return std::nullopt;
  Parser parser(dimension, [&](const std::string& name) {
    const auto at = sizes.find(name);
    return at == sizes.end() ? std::nullopt : std::optional(at->second);
  });
  const std::int64_t value = parser.parse();
  return parser.has_value() && value >= 0 ? std::optional(value) : std::nullopt;
}

std::optional<std::pair<std::string, std::int64_t>> solve(const std::string& dimension, std::int64_t value,
                                                          const Sizes& sizes) {
  std::vector<std::string> unknown = names_in(dimension);
  std::erase_if(unknown, [&](const std::string& name) { return sizes.contains(name); });
  if (unknown.size() != 1 || !is_formula(dimension)) return std::nullopt;
  Sizes with = sizes;
  with.erase(dimension);
  constexpr std::int64_t most_tried = 100'000;
  for (std::int64_t size = 0; size <= most_tried; ++size) {
    with[unknown.front()] = size;
    if (evaluate(dimension, with) == value) return std::pair(unknown.front(), size);
  }
  return std::nullopt;
}

}  // namespace culprit
