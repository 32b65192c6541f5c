#include "store/database.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/text.h"
#include "store/case_types.h"

namespace culprit {
namespace {

constexpr int wait_ms = 10'000;
constexpr int largest_row = static_cast<int>(largest_case_report + largest_case_description + 65'536);

bool is_of_a_full_disk(int code, int system_error) {
  return (code & 0xff) == SQLITE_FULL ||
         ((code & 0xff) == SQLITE_IOERR && (system_error == ENOSPC || system_error == EDQUOT));
}

Error error_of_code(const std::string& where, const char* doing, int code, int system_error, const std::string& said) {
  const std::string cannot = std::string("cannot ") + doing + " " + where + ": ";
  if (is_of_a_full_disk(code, system_error))
    return {ErrorKind::io, cannot + "the disk is full",
            "make room there and run it again: all that was finished before is kept"};
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_MISMATCH:
      return {ErrorKind::bad_input, cannot + "the file is damaged (" + said + ")",
              "put a copy of it there, or begin in another folder"};
    case SQLITE_CONSTRAINT:
      return {ErrorKind::bad_input, cannot + "a value is none that a store has (" + said + ")", ""};
    case SQLITE_TOOBIG:
      return {ErrorKind::bad_input, cannot + "a text in it is larger than " + human_bytes(largest_row), ""};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
      return {ErrorKind::io, cannot + "another process has locked it for more than ten seconds", "try again later"};
    case SQLITE_ERROR:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
      return {ErrorKind::internal, cannot + said, ""};
    default:
      break;
  }
  const std::string reason = system_error == 0 ? said : std::generic_category().message(system_error);
  return {ErrorKind::io, cannot + reason, "the folder of the store has to be writable, and on a disk of this machine"};
}

/// SQLite itself may have rolled back already, as it does on some full disks.
void roll_back(const Database* database) {
  if (database != nullptr && sqlite3_get_autocommit(database->handle()) == 0)
    sqlite3_exec(database->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

/// A file in a folder that we cannot write to, such as one of a read-only mount, that nobody has open and no killed
/// process left: SQLite has to be told so, for else it makes files of its own beside it.
bool cannot_change(const std::filesystem::path& file) {
  std::error_code error;
  if (access(file.parent_path().c_str(), W_OK) == 0) return false;
  const auto is_beside = [&](const char* end) { return std::filesystem::exists(file.native() + end, error); };
  return !is_beside("-wal") && !is_beside("-shm");
}

/// Characters with a meaning in a URI as numbers.
std::string as_uri(const std::filesystem::path& file) {
  std::string uri = "file:";
  for (const char c : file.native()) uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
  return uri + "?immutable=1";
}

}  // namespace

Result<Database> Database::open(const std::filesystem::path& file, Use use) {
  const int flags = use == Use::inspect  ? SQLITE_OPEN_READONLY
                    : use == Use::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                         : SQLITE_OPEN_READWRITE;
  std::error_code error;
  // An absolute path is never taken for one of SQLite's special names.
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  if (error) return fail(ErrorKind::io, "cannot open " + printable(file.native()) + ": " + error.message());
  const bool only_reads = use == Use::inspect || use == Use::read;
  const bool is_fixed = only_reads && cannot_change(absolute);
  sqlite3* handle = nullptr;
  const int code =
      is_fixed ? sqlite3_open_v2(as_uri(absolute).c_str(), &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr)
               : sqlite3_open_v2(absolute.c_str(), &handle, flags, nullptr);
  Database database(handle, file);
  if (code != SQLITE_OK) return database.failure("open", code);
  if (auto ready = database.set_up(use); !ready) return tl::unexpected(ready.error());
  return database;
}

Result<void> Database::set_up(Use use) const {
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, wait_ms);
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, largest_row);
  // The file is untrusted: nothing in it is run or may reach beyond it.
  for (const int option : {SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_ENABLE_FKEY})
    sqlite3_db_config(handle_, option, 1, nullptr);
  for (const int option : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(handle_, option, 0, nullptr);
  if (use == Use::inspect) sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  if (use == Use::inspect || use == Use::read) return run("PRAGMA query_only = ON; PRAGMA cell_size_check = ON");
  return run("PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864");
}

Database::~Database() { sqlite3_close_v2(handle_); }

Result<void> Database::run(const char* sql) const {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure("use", code);
  return {};
}

Result<std::int64_t> Database::integer_of(const char* sql) const {
  auto statement = Statement::prepare(*this, sql);
  if (!statement) return tl::unexpected(statement.error());
  auto row = statement->step();
  if (!row) return tl::unexpected(row.error());
  return *row ? statement->integer(0) : 0;
}

tl::unexpected<Error> Database::failure(const char* doing, int code) const {
  const std::string said = handle_ == nullptr ? "no memory" : printable(sqlite3_errmsg(handle_), 200);
  // Only errors of the system have a number of the system; that of an earlier one stays.
  const int kind = code & 0xff;
  const bool is_of_system = kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN;
  const int system_error = is_of_system && handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
  return tl::unexpected<Error>(error_of_code(printable(file_.native(), 500), doing, code, system_error, said));
}

std::int64_t Database::changed_rows() const { return sqlite3_changes(handle_); }

Result<Statement> Statement::prepare(const Database& database, std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  if (code != SQLITE_OK) return database.failure("use", code);
  return Statement(database, handle);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int parameter, std::string_view text) {
  const int code =
      sqlite3_bind_text64(handle_, parameter, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code_ == SQLITE_OK) code_ = code;
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_, parameter, value);
  if (code_ == SQLITE_OK) code_ = code;
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  const int code = sqlite3_bind_double(handle_, parameter, value);
  if (code_ == SQLITE_OK) code_ = code;
  return *this;
}

Result<bool> Statement::step() {
  if (code_ != SQLITE_OK) return database_->failure("use", code_);
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto failure = database_->failure("use", code);
  reset();
  return failure;
}

Result<void> Statement::run() {
  auto row = step();
  reset();
  if (!row) return tl::unexpected(row.error());
  return {};
}

void Statement::reset() {
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  code_ = SQLITE_OK;
}

std::string_view Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column));
  const int size = sqlite3_column_bytes(handle_, column);
  return bytes == nullptr ? std::string_view() : std::string_view(bytes, static_cast<std::size_t>(size));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_, column); }
bool Statement::is_null(int column) const { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

Result<Transaction> Transaction::begin(const Database& database) {
  if (auto begun = database.run("BEGIN IMMEDIATE"); !begun) return tl::unexpected(begun.error());
  return Transaction(database);
}

Result<Transaction> Transaction::begin_to_read(const Database& database) {
  if (auto begun = database.run("BEGIN"); !begun) return tl::unexpected(begun.error());
  return Transaction(database);
}

Transaction::~Transaction() { roll_back(database_); }

Result<void> Transaction::commit() {
  if (auto done = database_->run("COMMIT"); !done) return done;
  database_ = nullptr;
  return {};
}

}  // namespace culprit
