#pragma once
// Opens when all that it waits for has come.

#include <cstddef>
#include <functional>
#include <utility>

namespace culprit {

class Gate {
 public:
  Gate(std::size_t awaited, std::function<void()> open) : awaited_(awaited), open_(std::move(open)) {}

  /// One of the awaited things is there. What never comes keeps the gate shut.
  void arrived() {
    if (awaited_ > 0 && --awaited_ == 0) open_();
  }

 private:
  std::size_t awaited_;
  std::function<void()> open_;
};

}  // namespace culprit
