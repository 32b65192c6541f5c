#pragma once
// BLEU of a corpus with its interval.

#include <array>
#include <optional>

#include "base/state_bytes.h"
#include "statistics/group_bootstrap.h"
#include "text/bleu.h"

namespace culprit {

class BleuByGroups {
 public:
  /// The text of a sample, and how it may be said; at least one such.
  void add(std::int64_t sample, std::string_view sentence, std::span<const std::string> references);
  void write(StateWriter& state) const;
  /// Adds what another one wrote of other samples.
  void merge(StateReader& state);

  /// 0 to 100; the interval is the bootstrap of groups. Absent where no text has four tokens.
  [[nodiscard]] std::optional<Estimate> score(std::uint64_t seed) const;

 private:
  std::array<CorpusBleu, sample_groups> groups_;
  std::array<std::int64_t, sample_groups> texts_{};  // in each group
};

}  // namespace culprit
