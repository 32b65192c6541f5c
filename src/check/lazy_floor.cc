#include "check/lazy_floor.h"

#include <algorithm>
#include <utility>

#include "check/noise.h"

namespace culprit {

void LazyFloor::need(std::function<void()> then) {
  if (known()) return then();
  waiting_.push_back(std::move(then));
  if (std::exchange(state_, State::asked) == State::asked) return;
  measure_floor(desk_, basis_, [this](FloorResult floor) {
    basis_.floors.outputs = std::move(floor.outputs);
    basis_.floors.directed = std::move(floor.directed);
    basis_.floors.first_directed = basis_.samples.size() - basis_.directed;
    warnings_ = std::move(floor.warnings);
    arrived();
  });
}

void LazyFloor::arrived() {
  state_ = State::known;
  for (const auto& first : first_) first();
  for (const auto& then : std::exchange(waiting_, {})) then();
}

bool asks_for_floor(const Measurements& measurements) {
  return std::ranges::any_of(
      measurements, [](const auto& entry) { return entry.second.mismatched > 0 && !is_structural(entry.second); });
}

}  // namespace culprit
