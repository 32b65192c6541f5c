#pragma once
// A folder for stores, cases by number, and a store as text.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "store/case_store.h"
#include "store/database.h"

namespace culprit::testing {

inline CaseKey key_of(int number) {
  return CaseKey::of(CaseParts().add(KeyPart::job, "check").add(KeyPart::model, std::to_string(number))).value();
}

inline PlannedCase case_of(int number, double cost = 1) {
  return {key_of(number), R"({"model": ")" + std::to_string(number) + R"("})", cost};
}

inline CaseOutcome outcome_of(OutcomeStatus status, std::string report = "{}") {
  return {status, 0.5, std::move(report)};
}

/// Cases number 0 to `count` - 1, the last one the dearest.
inline std::vector<PlannedCase> cases_up_to(int count) {
  std::vector<PlannedCase> cases;
  for (int i = 0; i < count; ++i) cases.push_back(case_of(i, i));
  return cases;
}

/// All that a query gives, a line for each row, columns with ' ' between.
inline std::string rows_of(const fs::path& file, std::string_view sql, int columns) {
  auto database = Database::open(file, Database::Use::read);
  if (!database) return database.error().text();
  auto rows = Statement::prepare(*database, sql);
  if (!rows) return rows.error().text();
  std::string text;
  while (true) {
    auto is_there = rows->step();
    if (!is_there) return is_there.error().text();
    if (!*is_there) return text;
    for (int i = 0; i < columns; ++i) text += std::string(rows->text(i)) + (i + 1 < columns ? " " : "\n");
  }
}

/// Everything that is kept, whatever the order in which it came.
inline std::string content_of(const fs::path& file) {
  return rows_of(file, "SELECT key, cost, description FROM cases ORDER BY key", 3) + "--\n" +
         rows_of(file, "SELECT number, key, state, begun_ms FROM attempts ORDER BY number", 4) + "--\n" +
         rows_of(file, "SELECT key, status, finished_ms, seconds, attempt, report FROM outcomes ORDER BY key", 6);
}

inline std::string integrity_of(const fs::path& file) { return rows_of(file, "PRAGMA integrity_check", 1); }

/// What an Error says: kind is compared by the caller.
template <class T>
std::string complaint_of(const Result<T>& result) {
  return result ? "no error" : result.error().text();
}

class StorePlace : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path at(std::string_view name) const { return folder_.path() / name; }
  /// An open store with these cases, under a name of its own.
  CaseStore store_with(int cases, std::string_view name = "run.sqlite") const {
    CaseStore store = CaseStore::open(at(name)).value();
    store.plan(cases_up_to(cases)).value();
    return store;
  }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-store-").value();
};

}  // namespace culprit::testing
