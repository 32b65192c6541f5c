#pragma once
// Outcomes that campaigns share, whichever folder each runs in: what one of them has found out, no other runs again.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/hash.h"
#include "base/stop.h"
#include "campaign/case_order.h"
#include "store/case_store.h"

namespace culprit {

/// What an outcome hangs on beside the key of its case: it stands for this CPU and this program.
struct OutcomeMaker {
  std::string cpu;                ///< its name
  std::filesystem::path program;  ///< the file of it
};

/// A folder with a folder for each case. Any number of processes may use it at once. It may be deleted at any time.
class OutcomeCache {
 public:
  /// Makes the folder. Errors: ErrorKind::io; not_found where there is no such program.
  static Result<OutcomeCache> open(const std::filesystem::path& folder, const OutcomeMaker& maker);

  /// What is known of this case; the files that it had kept are put into `case_folder`. Nothing where it is not known,
  /// or where the files were damaged: these are removed. ErrorKind::io where `case_folder` cannot be written.
  [[nodiscard]] Result<std::optional<CaseOutcome>> take(const CaseKey& key,
                                                        const std::filesystem::path& case_folder) const;

  /// Keeps an outcome, and what lies in `case_folder` if it is there. Not kept is what another run may give otherwise:
  /// measured times (`profile`), what could not be judged, what failed; and what has more than `most_bytes`.
  /// ErrorKind::io: the case is not harmed by it.
  [[nodiscard]] Result<void> keep(const CaseOrder& order, const CaseKey& key, const CaseOutcome& outcome,
                                  const std::filesystem::path& case_folder) const;
  static constexpr std::uint64_t most_bytes = UINT64_C(256) << 20;

 private:
  explicit OutcomeCache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::filesystem::path place_of(const CaseKey& key) const;
  std::filesystem::path folder_;
};

/// Finishes the waiting cases of the store that the cache knows. How many these were. Errors: those of the store; io.
Result<std::int64_t> take_known_outcomes(CaseStore& store, const OutcomeCache& cache, const std::optional<Shard>& shard,
                                         const std::filesystem::path& cases, const Stop& is_interrupted = {});

}  // namespace culprit
