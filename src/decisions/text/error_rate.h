#pragma once
// Word and character error rate of what was heard, as jiwer counts them by default.

#include <cstdint>
#include <string_view>

namespace culprit {

/// The fewest words (characters) to put in, take out or exchange, of `length` that were said. Those of several
/// sentences are added.
struct ErrorCount {
  std::int64_t errors = 0, length = 0;
  /// errors / length; where nothing was said, the number of errors.
  [[nodiscard]] double rate() const {
    return static_cast<double>(errors) / static_cast<double>(length == 0 ? 1 : length);
  }
  ErrorCount& operator+=(const ErrorCount& other) {
    errors += other.errors;
    length += other.length;
    return *this;
  }
};

/// Words stand between spaces; a single tab or line end between two letters is part of a word, as it is for jiwer.
ErrorCount word_errors(std::string_view said, std::string_view heard);
/// Spaces at both ends of a text do not count.
ErrorCount character_errors(std::string_view said, std::string_view heard);

}  // namespace culprit
