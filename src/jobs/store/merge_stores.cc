#include "store/merge_stores.h"

#include <functional>
#include <string>
#include <string_view>

#include "store/case_key.h"
#include "store/outcome_rows.h"

namespace culprit {
namespace {

/// Shows the rows of a query one by one.
Result<void> each_row(const Database& database, const char* sql,
                      const std::function<Result<void>(const Statement&)>& take) {
  auto rows = Statement::prepare(database, sql);
  if (!rows) return tl::unexpected(rows.error());
  while (true) {
    auto is_there = rows->step();
    if (!is_there) return tl::unexpected(is_there.error());
    if (!*is_there) return {};
    if (auto taken = take(*rows); !taken) return taken;
  }
}

Result<void> take_cases(const Database& into, const Database& from, MergeAnswer& answer) {
  auto cases = CaseRows::into(into);
  if (!cases) return tl::unexpected(cases.error());
  return each_row(from, "SELECT key, cost, description FROM cases", [&](const Statement& row) -> Result<void> {
    if (auto key = CaseKey::from_hex(row.text(0)); !key) return tl::unexpected(key.error());
    auto is_new = cases->add(row.text(0), row.real(1), row.text(2));
    if (!is_new) return tl::unexpected(is_new.error());
    if (*is_new) ++answer.new_cases;
    return {};
  });
}

/// An attempt is known by its number. Of its states the one that comes later in its life stands.
Result<void> take_attempts(const Database& into, const Database& from, OpenAttempts open_attempts) {
  const std::string order = " WHEN 'begun' THEN 0 WHEN 'lost' THEN 1 WHEN 'withdrawn' THEN 2 ELSE 3 END";
  auto insert =
      Statement::prepare(into,
                         "INSERT INTO attempts (number, key, state, begun_ms) VALUES (?1, ?2, ?3, ?4)"
                         " ON CONFLICT (number) DO UPDATE SET state = excluded.state WHERE CASE excluded.state" +
                             order + " > CASE attempts.state" + order);
  if (!insert) return tl::unexpected(insert.error());
  return each_row(from, "SELECT number, key, state, begun_ms FROM attempts", [&](const Statement& row) -> Result<void> {
    std::string_view state = row.text(2);
    if (state == "begun") {
      if (open_attempts == OpenAttempts::run) return {};
      state = "lost";
    }
    return insert->bind(1, row.text(0)).bind(2, row.text(1)).bind(3, state).bind(4, row.integer(3)).run();
  });
}

Result<void> take_outcomes(const Database& into, const Database& from, MergeAnswer& answer) {
  auto outcomes = OutcomeRows::into(into);
  if (!outcomes) return tl::unexpected(outcomes.error());
  return each_row(
      from, "SELECT key, status, finished_ms, seconds, attempt, report FROM outcomes",
      [&](const Statement& row) -> Result<void> {
        auto effect = outcomes->add({row.text(0), row.text(1), row.integer(2), row.real(3), row.text(4), row.text(5)});
        if (!effect) return tl::unexpected(effect.error());
        if (*effect == OutcomeRows::Effect::added) ++answer.new_outcomes;
        if (*effect == OutcomeRows::Effect::taken_instead) ++answer.taken_instead;
        if (outcomes->was_contradiction()) ++answer.contradictions;
        return {};
      });
}

}  // namespace

Result<MergeAnswer> merge_stores(const Database& into, const Database& from, OpenAttempts open_attempts) {
  auto writing = Transaction::begin(into);
  if (!writing) return tl::unexpected(writing.error());
  // Its three tables are read as they are at one moment.
  auto reading = Transaction::begin_to_read(from);
  if (!reading) return tl::unexpected(reading.error());
  MergeAnswer answer;
  if (auto taken = take_cases(into, from, answer); !taken) return tl::unexpected(taken.error());
  if (auto taken = take_attempts(into, from, open_attempts); !taken) return tl::unexpected(taken.error());
  if (auto taken = take_outcomes(into, from, answer); !taken) return tl::unexpected(taken.error());
  auto missing = into.integer_of("SELECT count(*) FROM cases WHERE key NOT IN (SELECT key FROM outcomes)");
  if (!missing) return tl::unexpected(missing.error());
  answer.missing = *missing;
  if (auto done = writing->commit(); !done) return tl::unexpected(done.error());
  return answer;
}

}  // namespace culprit
