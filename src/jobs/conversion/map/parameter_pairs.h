#pragma once
// Pairs of parameters that may be each other's, found without a look at all pairs. Tensors are no nearer than their
// means of absolute values are: so a window of these is enough, and the nearest are looked for first.

#include <cstdint>
#include <map>
#include <vector>

#include "conversion/map/match_parameters.h"
#include "conversion/map/place_line.h"

namespace culprit {

struct ParameterPair {
  ParameterMatch match;
  double off_place = 0;
};

/// What the order of numbers does not change, without sorting them.
struct NumberSums {
  explicit NumberSums(const std::vector<float>& numbers);
  double size = 0;     ///< the mean |x| of those that are finite
  double square = 0;   ///< the mean of their squares
  double largest = 0;  ///< |x| of them
  /// May both be the same numbers but for a distance (conversion/axis_order.h) of `most`? Never false where they are.
  [[nodiscard]] bool may_be(const NumberSums& other, double most) const;
};

class ParameterPairs {
 public:
  /// Both must outlive it.
  ParameterPairs(const std::vector<DerivedTensor>& sources, const std::vector<TargetParameter>& targets);

  /// Which are still to be found.
  struct Open {
    std::vector<bool> source, target;
  };
  /// Has it fewer than 3 different numbers? Then any other such tensor may have them by chance.
  [[nodiscard]] bool says_little_source(std::size_t source) const { return little_source_[source]; }
  [[nodiscard]] bool says_little_target(std::size_t target) const { return little_target_[target]; }

  /// No further apart than `most`; of those that say little where `little`, else of the others.
  [[nodiscard]] std::vector<ParameterPair> within(const Open& open, double most, const PlaceLine& line,
                                                  bool little) const;
  /// The pairs that have the same numbers in an order that no axes make.
  [[nodiscard]] std::vector<ParameterPair> scrambled(const Open& open, const PlaceLine& line) const;

 private:
  void find_folded();
  /// May the two be each other's, one of them in a folded form? Where they are not nearly the same, only where the
  /// other side has no folded form: else a kernel would be held against what stands for it and its normalization.
  [[nodiscard]] bool have_forms_that_fit(std::size_t source, std::size_t target, bool is_loose) const;
  struct Entry {
    double size = 0;
    std::size_t target = 0;
  };
  template <class Visit>
  void for_candidates(std::size_t source, const Open& open, double most, const PlaceLine& line,
                      const Visit& visit) const;

  const std::vector<DerivedTensor>& sources_;
  const std::vector<TargetParameter>& targets_;
  std::vector<bool> little_source_, little_target_;
  std::vector<bool> is_folded_source_, is_folded_target_;  // is it a part of a folded form, or one?
  std::vector<NumberSums> sums_source_, sums_target_;
  std::map<std::size_t, std::vector<Entry>> by_count_;  // sorted by size
};

}  // namespace culprit
