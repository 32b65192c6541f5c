#include "store/store_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "base/flush_folder.h"
#include "base/text.h"
#include "store/writer_lock.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

// The header of each file of SQLite (its page "Database File Format").
constexpr std::size_t header_size = 100;
constexpr std::string_view magic("SQLite format 3\0", 16);
constexpr std::size_t place_of_user_version = 60, place_of_application_id = 68;

using StoreHeader = std::array<unsigned char, header_size>;

std::int64_t number_at(const StoreHeader& header, std::size_t place) {
  std::int64_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | header[place + i];
  return number;
}

std::string told(const fs::path& file) { return printable(file.native(), 500); }

tl::unexpected<Error> no_store(const fs::path& file, const std::string& why) {
  return fail(ErrorKind::bad_input, told(file) + " is no store of culprit: " + why,
              "it was left as it is; name another folder, or move that file away");
}

tl::unexpected<Error> damaged(const fs::path& file, const std::string& what) {
  return fail(ErrorKind::bad_input, told(file) + " is damaged: " + what,
              "it was left as it is; put a copy of it there, or begin in another folder");
}

tl::unexpected<Error> too_new(const fs::path& file, std::int64_t version, std::int64_t known) {
  return fail(ErrorKind::unsupported,
              told(file) + " was written by a newer culprit: its tables have version " + std::to_string(version) +
                  ", and this one knows versions up to " + std::to_string(known),
              "use the newer culprit, or begin in another folder");
}

/// Read without SQLite, for it makes files of its own beside those that it opens.
Result<void> check_store_header(const fs::path& file, std::int64_t known) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found)
    return fail(ErrorKind::not_found, "there is no store " + told(file), "name the folder of a run");
  if (!fs::is_regular_file(status)) return no_store(file, error ? error.message() : "it is no regular file");
  StoreHeader header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(ErrorKind::io, "cannot read " + told(file), "check its permissions");
  stream.read(reinterpret_cast<char*>(header.data()), header_size);
  if (stream.gcount() != static_cast<std::streamsize>(header_size) ||
      !std::equal(magic.begin(), magic.end(), header.begin(),
                  [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }))
    return no_store(file, "it does not begin as a file of SQLite does");
  if (number_at(header, place_of_application_id) != store_application_id)
    return no_store(file, "it is a file of SQLite that another program made");
  const std::int64_t version = number_at(header, place_of_user_version);
  if (version > known) return too_new(file, version, known);
  return {};
}

/// Triggers and views of strangers would be run by what we ask.
Result<void> check_tables(const Database& database) {
  auto statement = Statement::prepare(
      database,
      "SELECT (SELECT count(*) FROM sqlite_schema WHERE type NOT IN ('table', 'index')),"
      " (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('cases', 'attempts', 'outcomes'))");
  if (!statement) return tl::unexpected(statement.error());
  auto row = statement->step();
  if (!row) return tl::unexpected(row.error());
  if (statement->integer(0) != 0) return no_store(database.file(), "it holds triggers or views");
  if (statement->integer(1) != 3) return no_store(database.file(), "tables are absent");
  return {};
}

Result<void> check_pages(const Database& database) {
  auto statement = Statement::prepare(database, "PRAGMA quick_check(1)");
  if (!statement) return tl::unexpected(statement.error());
  auto row = statement->step();
  if (!row) return tl::unexpected(row.error());
  if (const std::string answer(statement->text(0)); answer != "ok")
    return damaged(database.file(), printable(answer, 200));
  return {};
}

Result<void> migrate_one(const Database& database, const Migration& migration) {
  auto transaction = Transaction::begin(database);
  if (!transaction) return tl::unexpected(transaction.error());
  const std::string version = "PRAGMA user_version = " + std::to_string(migration.version);
  if (auto done = database.run(migration.sql.c_str()); !done) return done;
  if (auto done = database.run(version.c_str()); !done) return done;
  return transaction->commit();
}

void remove_with_sides(const fs::path& file) {
  std::error_code ignored;
  for (const char* side : {"", "-journal", "-wal", "-shm"}) fs::remove(file.native() + side, ignored);
}

Result<void> fill_new_file(const fs::path& file, std::span<const Migration> migrations) {
  auto database = Database::open(file, Database::Use::create);
  if (!database) return tl::unexpected(database.error());
  const std::string set_up =
      "PRAGMA application_id = " + std::to_string(store_application_id) + "; PRAGMA journal_mode = WAL";
  if (auto done = database->run(set_up.c_str()); !done) return done;
  if (auto done = migrate(*database, migrations); !done) return done;
  // The file is whole by itself then, and closing it removes the others.
  return database->run("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

Result<void> make_store_file(const fs::path& file, std::span<const Migration> migrations) {
  const fs::path beside = file.native() + ".new";
  remove_with_sides(beside);
  if (auto filled = fill_new_file(beside, migrations); !filled) {
    remove_with_sides(beside);
    return filled;
  }
  std::error_code error;
  fs::rename(beside, file, error);
  if (error) {
    remove_with_sides(beside);
    return fail(ErrorKind::io, "cannot make " + told(file) + ": " + error.message());
  }
  flush_folder_of(file);
  return {};
}

Result<std::int64_t> inspect_store_file(const fs::path& file, std::span<const Migration> migrations,
                                        Scrutiny scrutiny) {
  const std::int64_t known = migrations.back().version;
  if (auto good = check_store_header(file, known); !good) return tl::unexpected(good.error());
  auto database = Database::open(file, Database::Use::inspect);
  if (!database) return tl::unexpected(database.error());
  // The header may be older than what a killed process left beside the file.
  auto version = database->integer_of("PRAGMA user_version");
  if (!version) return version;
  if (*version > known) return too_new(file, *version, known);
  if (*version < 1) return no_store(file, "its tables have no version");
  if (auto good = check_tables(*database); !good) return tl::unexpected(good.error());
  if (scrutiny == Scrutiny::whole)
    if (auto good = check_pages(*database); !good) return tl::unexpected(good.error());
  return version;
}

Result<void> migrate(const Database& database, std::span<const Migration> migrations) {
  auto version = database.integer_of("PRAGMA user_version");
  if (!version) return tl::unexpected(version.error());
  for (const Migration& migration : migrations)
    if (migration.version > *version)
      if (auto done = migrate_one(database, migration); !done) return done;
  return {};
}

Result<Database> open_store_to_read(const fs::path& file, std::span<const Migration> migrations) {
  auto version = inspect_store_file(file, migrations, Scrutiny::header);
  if (!version) return tl::unexpected(version.error());
  if (*version < migrations.back().version) {
    auto lock = WriterLock::take(file);
    if (!lock) return tl::unexpected(lock.error());
    if (auto writable = open_store_to_write(file, migrations); !writable) return writable;
  }
  return Database::open(file, Database::Use::read);
}

Result<Database> open_store_to_write(const fs::path& file, std::span<const Migration> migrations) {
  if (auto good = inspect_store_file(file, migrations, Scrutiny::whole); !good) return tl::unexpected(good.error());
  auto database = Database::open(file, Database::Use::write);
  if (!database) return database;
  if (auto done = database->run("PRAGMA journal_mode = WAL"); !done) return tl::unexpected(done.error());
  if (auto done = migrate(*database, migrations); !done) return tl::unexpected(done.error());
  return database;
}

}  // namespace culprit
