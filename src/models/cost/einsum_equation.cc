#include "cost/einsum_equation.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace culprit {

std::optional<EinsumEquation> parse_einsum(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  if (text.size() > 1000) return std::nullopt;
  EinsumEquation equation;
  const auto arrow = text.find("->");
  if (arrow != std::string::npos) equation.result = text.substr(arrow + 2);
  std::stringstream terms(text.substr(0, arrow));
  for (std::string term; std::getline(terms, term, ',');) equation.terms.push_back(term);
  return equation;
}

std::optional<std::string> einsum_labels(const std::string& term, int rank) {
  std::string labels;
  const auto dots = term.find("...");
  const int letters = static_cast<int>(term.size()) - (dots == std::string::npos ? 0 : 3);
  const int hidden = rank - letters;
  if (hidden < 0 || (dots == std::string::npos && hidden > 0) || hidden > 64) return std::nullopt;
  for (std::size_t i = 0; i < term.size(); ++i) {
    if (i == dots) {
      for (int k = hidden; k > 0; --k) labels += static_cast<char>(-k);  // -1 is the last of them
      i += 2;
    } else if (std::isalpha(static_cast<unsigned char>(term[i])) != 0) {
      labels += term[i];
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

namespace {

/// Without an arrow: the axes in dots, then the letters that stand once, in order.
std::string implied_result(const std::vector<std::string>& terms) {
  std::map<char, int> seen;
  for (const auto& term : terms) {
    for (const char sign : term) ++seen[sign];
  }
  std::string result = seen.contains('.') ? "..." : "";
  for (const auto& [letter, times] : seen) {
    if (times == 1 && letter != '.') result += letter;
  }
  return result;
}

}  // namespace

std::optional<EinsumSizes> einsum_sizes(const std::string& text, const std::vector<ValueShape>& inputs) {
  const auto equation = parse_einsum(text);
  if (!equation || equation->terms.size() != inputs.size()) return std::nullopt;
  EinsumSizes sizes;
  int in_dots = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto labels = einsum_labels(equation->terms[i], inputs[i].rank());
    if (!labels) return std::nullopt;
    for (std::size_t axis = 0; axis < labels->size(); ++axis) {
      const double size = inputs[i].dim(static_cast<int>(axis));
      auto& known = sizes.letters.emplace((*labels)[axis], size).first->second;
      if (known == 1) known = size;  // broadcast
      in_dots = std::max(in_dots, -static_cast<int>((*labels)[axis]));
    }
  }
  const std::string result = equation->result.value_or(implied_result(equation->terms));
  const int dots = result.find("...") == std::string::npos ? 0 : 3;
  const auto made = einsum_labels(result, static_cast<int>(result.size()) - dots + (dots > 0 ? in_dots : 0));
  if (!made) return std::nullopt;
  for (const char label : *made) {
    const auto size = sizes.letters.find(label);
    if (size == sizes.letters.end()) return std::nullopt;
    sizes.result.push_back(size->second >= 0 ? static_cast<std::int64_t>(size->second) : -1);
  }
  return sizes;
}

}  // namespace culprit
