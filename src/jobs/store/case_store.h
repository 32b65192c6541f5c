#pragma once
// The record of a campaign: what is to be run, what was begun, and what came of it. It outlives kill -9, a full disk
// and a power cut. docs/reference/store.md has the tables.

#include <cstdint>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "store/case_reader.h"
#include "store/case_types.h"
#include "store/writer_lock.h"

namespace culprit {

/// A store that this process alone may write to. Every change is on the disk when its call returns without an Error. On
/// an Error nothing of it was written, and the store can be used further: ErrorKind::io for a full disk, with a hint.
class CaseStore : public CaseReader {
 public:
  /// Makes the file, or opens it and takes what an earlier process had begun for lost. The folder has to be there.
  /// Errors: usage where another process has it open for writing; else those of CaseReader::open.
  static Result<CaseStore> open(const std::filesystem::path& file, const StoreOptions& options = {});

  /// Adds cases. Of one that is there already, the greater cost and the description that is first in the order of bytes
  /// stand. The number of new ones. ErrorKind::internal for a cost that is negative or not finite, or a description
  /// that is too large; then none was added.
  Result<std::int64_t> plan(std::span<const PlannedCase> cases);

  /// To be called before a case is run. ErrorKind::not_found where it is not planned, usage where it neither waits nor
  /// has failed.
  Result<AttemptId> begin(const CaseKey& key);
  /// If another outcome is there already, from a merge, the rule of `merge` says which one stands. ErrorKind::internal
  /// for an attempt that was not begun or has ended, or a report that is too large.
  Result<void> finish(const AttemptId& attempt, const CaseOutcome& outcome);
  /// Ends an attempt that shall not count: the user stopped the campaign. ErrorKind::internal as for `finish`.
  Result<void> withdraw(const AttemptId& attempt);
  /// Ends an attempt whose process was killed: it counts as lost. ErrorKind::internal as for `finish`.
  Result<void> lose(const AttemptId& attempt);
  /// Lost attempts of this case shall not count any more: one that was set aside waits again.
  Result<void> try_again(const CaseKey& key);

  /// Takes all in that another store holds; what is running there is left out. In which order stores are merged, and
  /// how often, makes no difference. What is finished beats what is not. Of two outcomes of a case that with the
  /// heavier status stands (OutcomeStatus), then the earlier one, then that of the smaller attempt, seconds and report.
  /// Errors: those of CaseReader::open; bad_input for values that no store has. On an Error nothing was taken in.
  Result<MergeAnswer> merge(const std::filesystem::path& other);

 private:
  CaseStore(WriterLock lock, Database database, StoreOptions options);
  [[nodiscard]] std::int64_t now_ms() const;
  WriterLock lock_;
};

}  // namespace culprit
