#include "store/case_reader.h"

#include <utility>
#include <vector>

#include "base/text.h"
#include "store/store_file.h"
#include "store/writer_lock.h"

namespace culprit {
namespace {

constexpr const char* entries_of_all =
    "SELECT c.key, c.cost, c.description, o.status, o.seconds, o.finished_ms,"
    " (SELECT count(*) FROM attempts a WHERE a.key = c.key AND a.state = 'begun'),"
    " (SELECT count(*) FROM attempts a WHERE a.key = c.key AND a.state = 'lost')"
    " FROM cases c LEFT JOIN outcomes o ON o.key = c.key";
constexpr const char* in_order = " ORDER BY c.cost DESC, c.key";
// What comes after a place, in two parts: in one, SQLite would look at all cases of that cost again, for each place.
constexpr const char* same_cost = " WHERE c.cost = ?1 AND c.key > ?2";
constexpr const char* smaller_cost = " WHERE c.cost < ?1";
enum EntryColumn {
  key_column,
  cost_column,
  description_column,
  status_column,
  seconds_column,
  finished_column,
  begun_column,
  lost_column
};

tl::unexpected<Error> strange_value(const Database& database, const char* what) {
  return fail(ErrorKind::bad_input,
              printable(database.file().native(), 500) + " is damaged: " + what + " is none that a store has",
              "put a copy of it there, or begin in another folder");
}

struct StateRule {
  bool is_written = false;  ///< by a living process: what is begun runs; else it is lost
  int most_lost_attempts = 2;
};

/// The whole of an entry but its description, which may be large.
Result<CaseEntry> entry_in(const Statement& row, const Database& database, const StateRule& rule) {
  auto key = CaseKey::from_hex(row.text(key_column));
  if (!key) return strange_value(database, "a key");
  CaseEntry entry{.planned = {.key = *key, .description = "", .cost = row.real(cost_column)}};
  const std::int64_t begun = row.integer(begun_column);
  entry.lost_attempts = static_cast<int>(row.integer(lost_column) + (rule.is_written ? 0 : begun));
  if (!row.is_null(status_column)) {
    entry.state = CaseState::finished;
    entry.status = outcome_status_named(row.text(status_column));
    if (!entry.status) return strange_value(database, "a status");
    entry.seconds = row.real(seconds_column);
    entry.finished_ms = row.integer(finished_column);
  } else if (rule.is_written && begun > 0) {
    entry.state = CaseState::running;
  } else if (entry.lost_attempts >= rule.most_lost_attempts) {
    entry.state = CaseState::set_aside;
    entry.status = OutcomeStatus::inconclusive;
  }
  return entry;
}

bool is_asked_for(const CaseEntry& entry, const CaseFilter& filter) {
  if (!filter.states.empty() && filter.states.count(entry.state) == 0) return false;
  if (!filter.statuses.empty() && (!entry.status || filter.statuses.count(*entry.status) == 0)) return false;
  return !filter.shard || is_in(*filter.shard, entry.planned.key);
}

std::vector<const char*> parts_after(const CaseFilter& filter) {
  return filter.after ? std::vector{same_cost, smaller_cost} : std::vector{""};
}

/// Shows entries without a description to `visit`, which may read that out of the row.
Result<void> walk(Statement& rows, const Database& database, const StateRule& rule,
                  const std::function<Looking(CaseEntry&)>& visit) {
  while (true) {
    auto is_there = rows.step();
    if (!is_there) return tl::unexpected(is_there.error());
    if (!*is_there) return {};
    auto entry = entry_in(rows, database, rule);
    if (!entry) return tl::unexpected(entry.error());
    if (visit(*entry) == Looking::enough) return {};
  }
}

}  // namespace

Result<CaseReader> CaseReader::open(const std::filesystem::path& file, const StoreOptions& options) {
  auto database = open_store_to_read(file, options.migrations);
  if (!database) return tl::unexpected(database.error());
  return CaseReader(std::move(*database), options);
}

bool CaseReader::somebody_writes() const { return is_writer_ || has_writer(database_.file()); }

Result<void> CaseReader::for_each(const CaseFilter& filter, const CaseVisit& visit) const {
  const StateRule rule{somebody_writes(), options_.most_lost_attempts};
  const std::string after_key = filter.after ? filter.after->key.hex() : "";
  for (const char* part : parts_after(filter)) {
    auto rows = Statement::prepare(database_, std::string(entries_of_all) + part + in_order);
    if (!rows) return tl::unexpected(rows.error());
    if (filter.after) rows->bind(1, filter.after->cost);
    if (filter.after && part == same_cost) rows->bind(2, after_key);
    Looking looking = Looking::on;
    auto walked = walk(*rows, database_, rule, [&](CaseEntry& entry) {
      if (!is_asked_for(entry, filter)) return Looking::on;
      entry.planned.description = rows->text(description_column);
      return looking = visit(entry);
    });
    if (!walked || looking == Looking::enough) return walked;
  }
  return {};
}

Result<std::optional<CaseEntry>> CaseReader::first(const CaseFilter& filter) const {
  std::optional<CaseEntry> found;
  auto walked = for_each(filter, [&](const CaseEntry& entry) {
    found = entry;
    return Looking::enough;
  });
  if (!walked) return tl::unexpected(walked.error());
  return found;
}

Result<std::optional<CaseEntry>> CaseReader::find(const CaseKey& key) const {
  auto row = Statement::prepare(database_, std::string(entries_of_all) + " WHERE c.key = ?1");
  if (!row) return tl::unexpected(row.error());
  const std::string hex = key.hex();
  row->bind(1, hex);
  std::optional<CaseEntry> found;
  auto walked = walk(*row, database_, {somebody_writes(), options_.most_lost_attempts}, [&](CaseEntry& entry) {
    entry.planned.description = row->text(description_column);
    found = entry;
    return Looking::enough;
  });
  if (!walked) return tl::unexpected(walked.error());
  return found;
}

Result<std::optional<StoredOutcome>> CaseReader::outcome_of(const CaseKey& key) const {
  auto row = Statement::prepare(database_,
                                "SELECT status, seconds, report, finished_ms, attempt FROM outcomes WHERE key = ?1");
  if (!row) return tl::unexpected(row.error());
  const std::string hex = key.hex();
  auto is_there = row->bind(1, hex).step();
  if (!is_there) return tl::unexpected(is_there.error());
  if (!*is_there) return std::nullopt;
  const auto status = outcome_status_named(row->text(0));
  auto attempt = Hash128::from_hex(row->text(4));
  if (!status || !attempt) return strange_value(database_, status ? "an attempt" : "a status");
  return StoredOutcome{{*status, row->real(1), std::string(row->text(2))}, row->integer(3), {*attempt}};
}

Result<CaseCounts> CaseReader::counts() const {
  auto rows = Statement::prepare(database_, std::string(entries_of_all) + in_order);
  if (!rows) return tl::unexpected(rows.error());
  CaseCounts counts;
  auto walked = walk(*rows, database_, {somebody_writes(), options_.most_lost_attempts}, [&](CaseEntry& entry) {
    ++counts.planned;
    ++counts.by_state[entry.state];
    if (entry.status) ++counts.by_status[*entry.status];
    if (entry.state == CaseState::waiting || entry.state == CaseState::running)
      counts.seconds_left += entry.planned.cost;
    return Looking::on;
  });
  if (!walked) return tl::unexpected(walked.error());
  return counts;
}

}  // namespace culprit
