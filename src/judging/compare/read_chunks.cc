#include "compare/read_chunks.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr std::size_t first_chunk = 4;

}  // namespace

std::size_t Chunks::next() {
  if (begin_ >= declared_.size()) return 0;
  const std::uint64_t usual = measured_values_ == 0 ? 0 : measured_bytes_ / measured_values_;
  const std::size_t most_guessed = last_ == 0 ? first_chunk : 2 * last_;
  std::size_t count = 0, guessed = 0;
  std::uint64_t bytes = 0;
  while (begin_ + count < declared_.size()) {
    const auto& declared = declared_[begin_ + count];
    bytes += declared.value_or(usual);
    guessed += declared ? 0 : 1;
    if (count > 0 && (bytes > budget_ || guessed > most_guessed)) break;
    ++count;
  }
  begin_ += count;
  last_ = std::max(count, first_chunk);
  return count;
}

void Chunks::measured(std::uint64_t bytes, std::size_t values) {
  measured_bytes_ += bytes;
  measured_values_ += values;
}

}  // namespace culprit
