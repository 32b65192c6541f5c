#pragma once
// How rows of two stores, or of a store and a run, become one. Private to this room.

#include <string_view>

#include "base/error.h"
#include "store/case_types.h"
#include "store/database.h"

namespace culprit {

/// Writes planned cases: of one that is there, the greater cost and the description that is first in the order of
/// bytes.
class CaseRows {
 public:
  static Result<CaseRows> into(const Database& database);
  /// Was it new?
  Result<bool> add(std::string_view key, double cost, std::string_view description);

 private:
  CaseRows(const Database& database, Statement insert, Statement update);
  const Database* database_;
  Statement insert_, update_;
};

/// A row of the table `outcomes`. It views what it was read from.
struct OutcomeRow {
  std::string_view key, status;
  std::int64_t finished_ms = 0;
  double seconds = 0;
  std::string_view attempt, report;
};

/// Writes outcomes by the rule of CaseStore::merge.
class OutcomeRows {
 public:
  enum class Effect { none, added, taken_instead };
  static Result<OutcomeRows> into(const Database& database);
  /// `none` where the row that was there stands.
  Result<Effect> add(const OutcomeRow& row);
  /// Had the last one that was added another status than the one that was there?
  [[nodiscard]] bool was_contradiction() const { return was_contradiction_; }

 private:
  OutcomeRows(const Database& database, Statement status, Statement upsert);
  const Database* database_;
  Statement status_, upsert_;
  bool was_contradiction_ = false;
};

}  // namespace culprit
