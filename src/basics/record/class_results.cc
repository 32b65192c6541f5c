#include "record/class_results.h"

#include <algorithm>
#include <functional>

namespace culprit {
namespace {

bool is_whole_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers come before names, and shorter ones before longer ones.
bool comes_before(const std::string& a, const std::string& b) {
  const bool is_a = is_whole_number(a), is_b = is_whole_number(b);
  if (is_a != is_b) return is_a;
  if (is_a && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

}  // namespace

void ClassResults::add(const std::string& truth, const std::string& decided) {
  const auto of = [this](const std::string& name) -> ClassCounts& {
    ClassCounts& counts = classes_[name];
    counts.name = name;
    return counts;
  };
  if (truth.empty()) {
    if (!decided.empty()) ++without_label_[decided];
    return;
  }
  if (!decided.empty()) ++of(decided).decided;
  ++of(truth).labelled;
  if (truth == decided) {
    ++of(truth).right;
    return;
  }
  const std::pair pair{truth, decided};
  if (pairs_.size() < most_pairs || pairs_.contains(pair)) ++pairs_[pair];
}

std::vector<ClassCounts> ClassResults::classes() const {
  std::vector<ClassCounts> all;
  for (const auto& [name, counts] : classes_) all.push_back(counts);
  if (all.empty())
    for (const auto& [name, samples] : without_label_) all.push_back({name, samples});
  std::ranges::sort(all, comes_before, &ClassCounts::name);
  return all;
}

std::vector<ConfusedClasses> ClassResults::confused() const {
  std::vector<ConfusedClasses> all;
  for (const auto& [pair, samples] : pairs_) all.push_back({pair.first, pair.second, samples});
  std::ranges::stable_sort(all, std::greater(), &ConfusedClasses::samples);
  return all;
}

}  // namespace culprit
