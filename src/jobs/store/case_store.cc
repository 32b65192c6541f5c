#include "store/case_store.h"

#include <sys/random.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "store/merge_stores.h"
#include "store/outcome_rows.h"
#include "store/store_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

Result<AttemptId> random_attempt() {
  std::array<std::uint64_t, 2> bits{};
  if (::getrandom(bits.data(), sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    return fail(ErrorKind::io, "the system gave no random numbers");
  return AttemptId{{bits[0], bits[1]}};
}

Result<void> check_planned(const PlannedCase& planned) {
  if (!std::isfinite(planned.cost) || planned.cost < 0)
    return fail(ErrorKind::internal, "the cost of a case is negative or not finite");
  if (planned.description.size() > largest_case_description)
    return fail(ErrorKind::internal, "the description of a case has " + human_bytes(planned.description.size()) +
                                         "; at most " + human_bytes(largest_case_description) + " are kept");
  return {};
}

Result<void> check_outcome(const CaseOutcome& outcome) {
  if (!std::isfinite(outcome.seconds) || outcome.seconds < 0)
    return fail(ErrorKind::internal, "the seconds of a case are negative or not finite");
  if (outcome.report.size() > largest_case_report)
    return fail(ErrorKind::internal, "the report of a case has " + human_bytes(outcome.report.size()) + "; at most " +
                                         human_bytes(largest_case_report) + " are kept");
  return {};
}

tl::unexpected<Error> not_waiting(const CaseEntry& entry) {
  return fail(ErrorKind::usage, "the case " + entry.planned.key.hex() + " cannot begin: its state is " +
                                    std::string(name_of(entry.state)));
}

/// Gives an attempt without an end its end. The key of its case.
Result<std::string> end_attempt(const Database& database, const AttemptId& attempt, std::string_view state) {
  const std::string number = attempt.number.hex();
  // One is lost here if a copy of this store was opened elsewhere and merged back.
  auto update = Statement::prepare(
      database, "UPDATE attempts SET state = ?2 WHERE number = ?1 AND state IN ('begun', 'lost') RETURNING key");
  if (!update) return tl::unexpected(update.error());
  auto is_there = update->bind(1, number).bind(2, state).step();
  if (!is_there) return tl::unexpected(is_there.error());
  if (!*is_there) return fail(ErrorKind::internal, "the attempt " + number + " was not begun, or has ended");
  std::string key(update->text(0));
  // The row counts as changed only once the statement has come to its end.
  if (auto end = update->step(); !end) return tl::unexpected(end.error());
  return key;
}

}  // namespace

CaseStore::CaseStore(WriterLock lock, Database database, StoreOptions options)
    : CaseReader(std::move(database), std::move(options)), lock_(std::move(lock)) {
  is_the_writer();
}

std::int64_t CaseStore::now_ms() const {
  if (options().now_ms) return options().now_ms();
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Result<CaseStore> CaseStore::open(const fs::path& file, const StoreOptions& options) {
  auto lock = WriterLock::take(file);
  if (!lock) return tl::unexpected(lock.error());
  std::error_code error;
  if (fs::symlink_status(file, error).type() == fs::file_type::not_found)
    if (auto made = make_store_file(file, options.migrations); !made) return tl::unexpected(made.error());
  auto database = open_store_to_write(file, options.migrations);
  if (!database) return tl::unexpected(database.error());
  if (auto done = database->run("UPDATE attempts SET state = 'lost' WHERE state = 'begun'"); !done)
    return tl::unexpected(done.error());
  if (options.most_pages > 0) {
    const std::string limit = "PRAGMA max_page_count = " + std::to_string(options.most_pages);
    if (auto done = database->run(limit.c_str()); !done) return tl::unexpected(done.error());
  }
  return CaseStore(std::move(*lock), std::move(*database), options);
}

Result<std::int64_t> CaseStore::plan(std::span<const PlannedCase> cases) {
  auto transaction = Transaction::begin(database());
  if (!transaction) return tl::unexpected(transaction.error());
  std::int64_t new_ones = 0;
  {
    auto rows = CaseRows::into(database());
    if (!rows) return tl::unexpected(rows.error());
    for (const PlannedCase& planned : cases) {
      if (auto good = check_planned(planned); !good) return tl::unexpected(good.error());
      auto is_new = rows->add(planned.key.hex(), planned.cost, planned.description);
      if (!is_new) return tl::unexpected(is_new.error());
      if (*is_new) ++new_ones;
    }
  }
  if (auto done = transaction->commit(); !done) return tl::unexpected(done.error());
  return new_ones;
}

Result<AttemptId> CaseStore::begin(const CaseKey& key) {
  auto entry = find(key);
  if (!entry) return tl::unexpected(entry.error());
  if (!*entry) return fail(ErrorKind::not_found, "no case " + key.hex() + " is planned");
  const bool has_failed = (*entry)->state == CaseState::finished && (*entry)->status == OutcomeStatus::failed;
  if ((*entry)->state != CaseState::waiting && !has_failed) return not_waiting(**entry);
  auto attempt = random_attempt();
  if (!attempt) return attempt;
  const std::string number = attempt->number.hex(), hex = key.hex();
  auto insert = Statement::prepare(database(),
                                   "INSERT INTO attempts (number, key, state, begun_ms) VALUES (?1, ?2, 'begun', ?3)");
  if (!insert) return tl::unexpected(insert.error());
  if (auto done = insert->bind(1, number).bind(2, hex).bind(3, now_ms()).run(); !done)
    return tl::unexpected(done.error());
  return attempt;
}

Result<void> CaseStore::finish(const AttemptId& attempt, const CaseOutcome& outcome) {
  if (auto good = check_outcome(outcome); !good) return good;
  auto transaction = Transaction::begin(database());
  if (!transaction) return tl::unexpected(transaction.error());
  auto key = end_attempt(database(), attempt, "done");
  if (!key) return tl::unexpected(key.error());
  {
    auto rows = OutcomeRows::into(database());
    if (!rows) return tl::unexpected(rows.error());
    const std::string number = attempt.number.hex();
    auto added = rows->add({*key, name_of(outcome.status), now_ms(), outcome.seconds, number, outcome.report});
    if (!added) return tl::unexpected(added.error());
  }
  return transaction->commit();
}

Result<void> CaseStore::withdraw(const AttemptId& attempt) {
  if (auto key = end_attempt(database(), attempt, "withdrawn"); !key) return tl::unexpected(key.error());
  return {};
}

Result<void> CaseStore::lose(const AttemptId& attempt) {
  if (auto key = end_attempt(database(), attempt, "lost"); !key) return tl::unexpected(key.error());
  return {};
}

Result<void> CaseStore::try_again(const CaseKey& key) {
  auto update =
      Statement::prepare(database(), "UPDATE attempts SET state = 'withdrawn' WHERE key = ?1 AND state = 'lost'");
  if (!update) return tl::unexpected(update.error());
  const std::string hex = key.hex();
  return update->bind(1, hex).run();
}

Result<MergeAnswer> CaseStore::merge(const fs::path& other) {
  auto from = open_store_to_read(other, options().migrations);
  if (!from) return tl::unexpected(from.error());
  auto answer = merge_stores(database(), *from, has_writer(other) ? OpenAttempts::run : OpenAttempts::are_lost);
  if (!answer && answer.error().kind == ErrorKind::bad_input)
    return fail(ErrorKind::bad_input, "cannot merge " + printable(other.native(), 500) + ": " + answer.error().message,
                "nothing of it was taken in");
  return answer;
}

}  // namespace culprit
