#pragma once
// BLEU of a corpus, as sacrebleu counts it by default: tokens of mteval-v13a, up to four in a row, "exp" smoothing.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// "Hello, world." is "Hello", ",", "world", ".".
std::vector<std::u32string> bleu_tokens(std::string_view line);

class CorpusBleu {
 public:
  static constexpr std::size_t longest = 4;  ///< tokens in a row

  /// One more sentence, and how it may be said; at least one such.
  void add(std::string_view sentence, std::span<const std::string> references);

  /// Adds the counts of other sentences, so many times: the result is that of all of them together.
  void merge(const CorpusBleu& other, std::int64_t times = 1);
  /// All that is known of the sentences: what `of` makes the same corpus of.
  [[nodiscard]] std::array<std::int64_t, 2 * longest + 2> counts() const;
  static CorpusBleu of(const std::array<std::int64_t, 2 * longest + 2>& counts);

  /// 0 to 100. Absent where no sentence has four tokens: then nothing can be said.
  [[nodiscard]] std::optional<double> score() const;

 private:
  std::array<std::int64_t, longest> same_{}, all_{};  // runs of 1 to 4 tokens
  std::int64_t length_ = 0, reference_length_ = 0;
};

}  // namespace culprit
