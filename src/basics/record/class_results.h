#pragma once
// What a classifier decided, class by class.

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace culprit {

/// One class, of all samples whose decision is told.
struct ClassCounts {
  std::string name;
  std::int64_t decided = 0;   ///< samples that the model put there: of those with a label, if any has one
  std::int64_t labelled = 0;  ///< samples that belong there
  std::int64_t right = 0;     ///< both
};

/// So many samples of one class were taken for another.
struct ConfusedClasses {
  std::string truth, decided;
  std::int64_t samples = 0;
};

/// Counts of classes and of pairs of them. Takes a fixed amount for each pair that occurs, of which it keeps so many:
/// what lies beyond is counted for the classes alone.
class ClassResults {
 public:
  static constexpr std::size_t most_pairs = 100'000;

  /// "" as a truth: nobody knows it. "" as a decision: none was made.
  void add(const std::string& truth, const std::string& decided);
  /// Numbers by their value, then names.
  [[nodiscard]] std::vector<ClassCounts> classes() const;
  /// The most frequent first.
  [[nodiscard]] std::vector<ConfusedClasses> confused() const;
  [[nodiscard]] bool is_empty() const { return classes_.empty() && without_label_.empty(); }

 private:
  std::map<std::string, ClassCounts> classes_;         ///< of samples with a label
  std::map<std::string, std::int64_t> without_label_;  ///< samples that the model put there
  std::map<std::pair<std::string, std::string>, std::int64_t> pairs_;
};

}  // namespace culprit
