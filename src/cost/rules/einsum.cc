#include <algorithm>
#include <map>
#include <optional>
#include <sstream>

#include "cost/rules/rule.h"

namespace culprit::rules {
namespace {

/// Letters, and the axes that "..." stands for as digits-like signs behind them, so that the last ones agree.
std::optional<std::string> labels_of(const std::string& term, int rank) {
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

struct Equation {
  std::vector<std::string> terms;
  std::optional<std::string> result;  ///< nothing: what the letters that stand once make
};

std::optional<Equation> parse(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  if (text.size() > 1000) return std::nullopt;
  Equation equation;
  const auto arrow = text.find("->");
  if (arrow != std::string::npos) equation.result = text.substr(arrow + 2);
  std::stringstream terms(text.substr(0, arrow));
  for (std::string term; std::getline(terms, term, ',');) equation.terms.push_back(term);
  return equation;
}

}  // namespace

double einsum_flops(const TypedNode& node) {
  const auto equation = parse(text(node, "equation", ""));
  if (!equation || equation->terms.size() != node.inputs.size()) return not_known;
  std::map<char, double> sizes;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const auto labels = labels_of(equation->terms[i], in(node, i).rank());
    if (!labels) return not_known;
    for (std::size_t axis = 0; axis < labels->size(); ++axis) {
      const double size = in(node, i).dim(static_cast<int>(axis));
      if (std::isnan(size)) return not_known;
      auto& known = sizes.emplace((*labels)[axis], size).first->second;
      if (known == 1) known = size;  // broadcast
    }
  }
  double combinations = 1;
  for (const auto& [label, size] : sizes) combinations *= size;
  const double multiplications = static_cast<double>(node.inputs.size()) - 1;
  return combinations * multiplications + (combinations > out(node).count() ? combinations : 0 * out(node).count());
}

}  // namespace culprit::rules
