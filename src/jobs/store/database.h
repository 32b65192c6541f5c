#pragma once
// SQLite in the manner of this project: what fails is a Result, what is open is closed. Private to this room.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace culprit {

/// An open file of SQLite. A wait for another process's lock ends after ten seconds. No size in the file is believed
/// beyond that of the largest report.
class Database {
 public:
  enum class Use {
    inspect,  ///< reads, and writes nothing, not even what a killed process left to be done
    read,     ///< reads; what a killed process left to be done may be done
    write,    ///< reads and writes
    create,   ///< makes the file, reads and writes
  };
  static Result<Database> open(const std::filesystem::path& file, Use use);
  Database(Database&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), file_(std::move(other.file_)) {}
  Database& operator=(Database&&) = delete;
  ~Database();

  /// Statements without results, separated by ';'.
  Result<void> run(const char* sql) const;
  /// The integer that a statement such as "PRAGMA user_version" gives.
  [[nodiscard]] Result<std::int64_t> integer_of(const char* sql) const;
  /// What SQLite says went wrong in `doing`, as an Error: io for a full disk, a lock or the system; bad_input for a
  /// file that is damaged; internal for a mistake of ours.
  [[nodiscard]] tl::unexpected<Error> failure(const char* doing, int code) const;
  /// The number of rows that the last statement changed.
  [[nodiscard]] std::int64_t changed_rows() const;
  [[nodiscard]] sqlite3* handle() const { return handle_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  Database(sqlite3* handle, std::filesystem::path file) : handle_(handle), file_(std::move(file)) {}
  [[nodiscard]] Result<void> set_up(Use use) const;
  sqlite3* handle_ = nullptr;
  std::filesystem::path file_;
};

/// A prepared statement. Numbers of parameters begin at 1, those of columns at 0.
class Statement {
 public:
  static Result<Statement> prepare(const Database& database, std::string_view sql);
  Statement(Statement&& other) noexcept
      : database_(other.database_), handle_(std::exchange(other.handle_, nullptr)), code_(other.code_) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// The text is to stay where it is until the next `reset`. What fails here is told by `step`.
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  /// Is there a row now?
  Result<bool> step();
  /// Runs a statement that gives no rows, and makes it ready for the next time.
  Result<void> run();
  void reset();

  [[nodiscard]] std::string_view text(int column) const;  ///< valid until the next step
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  Statement(const Database& database, sqlite3_stmt* handle) : database_(&database), handle_(handle) {}
  const Database* database_;
  sqlite3_stmt* handle_ = nullptr;
  int code_ = 0;  // what SQLite said to the first bind that failed
};

/// What is written in a transaction is written whole by `commit`, or not at all. What is read in it is as it was at one
/// moment.
class Transaction {
 public:
  static Result<Transaction> begin(const Database& database);  ///< to write; no other process may begin to write then
  static Result<Transaction> begin_to_read(const Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  /// Once it returns without an Error, a power cut takes nothing of it away.
  Result<void> commit();

 private:
  explicit Transaction(const Database& database) : database_(&database) {}
  const Database* database_;
};

}  // namespace culprit
