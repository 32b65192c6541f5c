#pragma once
// Which values may have the same numbers, by their sketches alone, without a look at all pairs.

#include <cstdint>
#include <map>
#include <vector>

#include "conversion/readings/value_sketch.h"

namespace culprit {

class SketchIndex {
 public:
  /// `order`: the values to be found, each once, in the order in which they are given. `sketches` must outlive it.
  SketchIndex(const std::vector<int>& order, const std::map<int, ValueSketch>& sketches);

  /// The values that may have the numbers of `sketch`, to within `most` (value_sketch.h), in their order. None where it
  /// says nothing.
  [[nodiscard]] std::vector<int> like(const ValueSketch& sketch, double most) const;

 private:
  struct Entry {
    double size = 0;  ///< of the first sample
    std::size_t place = 0;
    int value = -1;
    const ValueSketch* sketch = nullptr;
  };
  std::map<std::vector<std::int64_t>, std::vector<Entry>> by_counts_;  // of elements, by sample; sorted by size
};

}  // namespace culprit
