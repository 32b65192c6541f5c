#pragma once
// Tells where a layer of the source should stand among those of the target, by what was found of its neighbours: of
// equal tensors the one at that place is meant.

#include <utility>
#include <vector>

namespace culprit {

class PlaceLine {
 public:
  /// `anchors`: places of tensors that are surely each other's. `source_end`, `target_end`: behind the last places.
  PlaceLine(std::vector<std::pair<int, int>> anchors, int source_end, int target_end);
  [[nodiscard]] double expected(int source) const;
  /// How far a place of the target is from the expected one.
  [[nodiscard]] double off(int source, int target) const;

 private:
  std::vector<std::pair<int, int>> anchors_;  // sorted by the source's place, each once; the ends among them
};

}  // namespace culprit
