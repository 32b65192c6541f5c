#include "store/outcome_rows.h"

#include <string>
#include <utility>

namespace culprit {
namespace {

/// The place of a status in the order of weight, as SQL: 0 is the heaviest.
std::string weight_of(const std::string& column) {
  std::string sql = "CASE " + column;
  for (int weight = 0; weight <= static_cast<int>(OutcomeStatus::failed); ++weight)
    sql += " WHEN '" + std::string(name_of(static_cast<OutcomeStatus>(weight))) + "' THEN " + std::to_string(weight);
  return sql + " END";
}

/// What is compared of two outcomes. It is all but the key, so that equal ones are the same.
std::string rank_of(const std::string& table) {
  return "(" + weight_of(table + ".status") + ", " + table + ".finished_ms, " + table + ".attempt, " + table +
         ".seconds, " + table + ".report)";
}

std::string outcome_upsert() {
  return "INSERT INTO outcomes (key, status, finished_ms, seconds, attempt, report) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
         " ON CONFLICT (key) DO UPDATE SET status = excluded.status, finished_ms = excluded.finished_ms,"
         " seconds = excluded.seconds, attempt = excluded.attempt, report = excluded.report WHERE " +
         rank_of("excluded") + " < " + rank_of("outcomes");
}

}  // namespace

CaseRows::CaseRows(const Database& database, Statement insert, Statement update)
    : database_(&database), insert_(std::move(insert)), update_(std::move(update)) {}

Result<CaseRows> CaseRows::into(const Database& database) {
  auto insert = Statement::prepare(
      database, "INSERT INTO cases (key, cost, description) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO NOTHING");
  if (!insert) return tl::unexpected(insert.error());
  auto update = Statement::prepare(database,
                                   "UPDATE cases SET cost = max(cost, ?2), description = min(description, ?3)"
                                   " WHERE key = ?1 AND (cost < ?2 OR description > ?3)");
  if (!update) return tl::unexpected(update.error());
  return CaseRows(database, std::move(*insert), std::move(*update));
}

Result<bool> CaseRows::add(std::string_view key, double cost, std::string_view description) {
  if (auto done = insert_.bind(1, key).bind(2, cost).bind(3, description).run(); !done)
    return tl::unexpected(done.error());
  if (database_->changed_rows() > 0) return true;
  if (auto done = update_.bind(1, key).bind(2, cost).bind(3, description).run(); !done)
    return tl::unexpected(done.error());
  return false;
}

OutcomeRows::OutcomeRows(const Database& database, Statement status, Statement upsert)
    : database_(&database), status_(std::move(status)), upsert_(std::move(upsert)) {}

Result<OutcomeRows> OutcomeRows::into(const Database& database) {
  auto status = Statement::prepare(database, "SELECT status FROM outcomes WHERE key = ?1");
  if (!status) return tl::unexpected(status.error());
  auto upsert = Statement::prepare(database, outcome_upsert());
  if (!upsert) return tl::unexpected(upsert.error());
  return OutcomeRows(database, std::move(*status), std::move(*upsert));
}

Result<OutcomeRows::Effect> OutcomeRows::add(const OutcomeRow& row) {
  auto is_there = status_.bind(1, row.key).step();
  if (!is_there) return tl::unexpected(is_there.error());
  was_contradiction_ = *is_there && status_.text(0) != row.status;
  status_.reset();
  auto done = upsert_.bind(1, row.key)
                  .bind(2, row.status)
                  .bind(3, row.finished_ms)
                  .bind(4, row.seconds)
                  .bind(5, row.attempt)
                  .bind(6, row.report)
                  .run();
  if (!done) return tl::unexpected(done.error());
  if (!*is_there) return Effect::added;
  return database_->changed_rows() > 0 ? Effect::taken_instead : Effect::none;
}

}  // namespace culprit
