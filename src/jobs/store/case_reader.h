#pragma once
// Reads the cases of a campaign, also while another process writes them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/error.h"
#include "store/case_types.h"
#include "store/database.h"
#include "store/migrations.h"

namespace culprit {

/// What a store is opened with. All but the file is the same in every run of the tool.
struct StoreOptions {
  std::span<const Migration> migrations = store_migrations();
  int most_lost_attempts = 2;                      ///< a case whose process died so often is set aside
  std::function<std::int64_t()> now_ms = nullptr;  ///< milliseconds since 1970, UTC; nullptr: the system's clock
  std::int64_t most_pages = 0;  ///< of 4096 bytes each, that a store may grow to; 0: as many as the disk has
};

/// An outcome with what the store knows of it.
struct StoredOutcome {
  CaseOutcome outcome;
  std::int64_t finished_ms = 0;  ///< since 1970, UTC
  AttemptId attempt;
};

/// An open store. Each call sees what was finished when it began. One thread at a time may use it; no child that was
/// forked may.
class CaseReader {
 public:
  /// An older store is brought up to this version first. Errors: not_found; bad_input for what is no store or is
  /// damaged; unsupported for a newer one; usage for an older one that is being written; io.
  static Result<CaseReader> open(const std::filesystem::path& file, const StoreOptions& options = {});

  /// Shows the cases one by one, those of the greatest cost first, of equal cost by key. `visit` may not write to this
  /// store. No more than one is in memory.
  [[nodiscard]] Result<void> for_each(const CaseFilter& filter, const CaseVisit& visit) const;
  /// The first one that `for_each` would show.
  [[nodiscard]] Result<std::optional<CaseEntry>> first(const CaseFilter& filter) const;
  /// Nothing where no such case is planned.
  [[nodiscard]] Result<std::optional<CaseEntry>> find(const CaseKey& key) const;
  /// Nothing where the case is not finished.
  [[nodiscard]] Result<std::optional<StoredOutcome>> outcome_of(const CaseKey& key) const;
  [[nodiscard]] Result<CaseCounts> counts() const;  ///< looks at every case

 protected:
  CaseReader(Database database, StoreOptions options) : database_(std::move(database)), options_(std::move(options)) {}
  [[nodiscard]] const Database& database() const { return database_; }
  [[nodiscard]] const StoreOptions& options() const { return options_; }
  void is_the_writer() { is_writer_ = true; }

 private:
  [[nodiscard]] bool somebody_writes() const;
  Database database_;
  StoreOptions options_;
  bool is_writer_ = false;
};

}  // namespace culprit
