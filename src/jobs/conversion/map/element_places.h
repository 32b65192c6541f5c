#pragma once
// Tells where each element of a target value stands in the source: without a list, for one element or for all in turn.

#include <cstdint>
#include <span>
#include <vector>

#include "conversion/map/value_order.h"

namespace culprit {

class ElementPlaces {
 public:
  /// Errors: internal, where the order does not fit these shapes.
  static Result<ElementPlaces> of(const ValueOrder& order, const Shape& source, const Shape& target);

  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Tells where the target's element `at` stands in the source.
  [[nodiscard]] std::int64_t in_source(std::int64_t at) const;
  /// `visit(place in the source)` for the target's elements in their order.
  template <class Visit>
  void for_each(const Visit& visit) const;

 private:
  struct Step {
    std::int64_t size = 1;    ///< how many the target has along it
    std::int64_t stride = 0;  ///< between two of them in the source
  };

  std::vector<Step> steps_;  // of the target, the outermost first; neighbours that are one run in the source are one
  std::vector<std::int64_t> channels_;
  std::int64_t inner_ = 1;  // elements of one channel that follow each other in the target
  std::int64_t count_ = 1;
};

template <class Visit>
void ElementPlaces::for_each(const Visit& visit) const {
  if (!channels_.empty()) {
    for (std::int64_t at = 0; at < count_; ++at) visit(in_source(at));
    return;
  }
  if (count_ == 0) return;
  std::vector<std::int64_t> at(steps_.size(), 0);
  std::int64_t place = 0;
  const Step last = steps_.back();
  while (true) {
    for (std::int64_t i = 0; i < last.size; ++i) visit(place + i * last.stride);
    std::size_t axis = steps_.size() - 1;
    bool is_over = true;
    while (axis-- > 0) {
      place += steps_[axis].stride;
      if (++at[axis] < steps_[axis].size) {
        is_over = false;
        break;
      }
      place -= steps_[axis].stride * steps_[axis].size;
      at[axis] = 0;
    }
    if (is_over) return;
  }
}

}  // namespace culprit
