#pragma once
// The noise floor, measured when something is first held against it. Most variants of most models give the reference's
// bits, and then nobody asks what rounding could have done: three runs of the model on four samples are saved.

#include <functional>
#include <vector>

#include "check/basis.h"
#include "check/desk.h"

namespace culprit {

class LazyFloor {
 public:
  LazyFloor(Desk& desk, Basis& basis) : desk_(desk), basis_(basis) {}
  LazyFloor(const LazyFloor&) = delete;
  LazyFloor& operator=(const LazyFloor&) = delete;

  /// Measures it at the first call; `then` is called when it stands in the basis, at once where it does already.
  void need(std::function<void()> then);
  /// Called once, before all that `need` was given: for what was judged without it so far.
  void when_known(std::function<void()> first) { first_.push_back(std::move(first)); }

  [[nodiscard]] bool known() const { return state_ == State::known; }
  /// floor_hides; none as long as it is not known.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }

 private:
  enum class State { idle, asked, known };

  void arrived();

  Desk& desk_;
  Basis& basis_;
  State state_ = State::idle;
  std::vector<std::function<void()>> first_, waiting_;
  std::vector<Warning> warnings_;
};

/// Could a floor change this verdict? Not where all bits agree, nor where nothing was measured or another shape says
/// enough.
bool asks_for_floor(const Measurements& measurements);

}  // namespace culprit
