#pragma once
// How many values are read in one run, so that the memory stays bounded however large the model is.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace culprit {

/// Values in order, cut into chunks of about `budget` bytes. A value whose size is not declared is taken to be as large
/// as those that were measured so far are on average; as long as nothing was measured a chunk is of 4 such values, and
/// no chunk has more than twice as many as the one before.
class Chunks {
 public:
  /// `declared`: bytes of each value, where its type tells.
  Chunks(std::vector<std::optional<std::uint64_t>> declared, std::uint64_t budget)
      : declared_(std::move(declared)), budget_(budget) {}

  /// How many values the next chunk has, at least one; 0 at the end.
  std::size_t next();
  /// What a chunk's values took.
  void measured(std::uint64_t bytes, std::size_t values);

 private:
  std::vector<std::optional<std::uint64_t>> declared_;
  std::uint64_t budget_;
  std::size_t begin_ = 0, last_ = 0;
  std::uint64_t measured_bytes_ = 0, measured_values_ = 0;
};

}  // namespace culprit
