#include "store/store_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "unit/jobs/store/store_place.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using testing::complaint_of;
using ::testing::HasSubstr;
using testing::key_of;

/// A store of version 1 as it was written first. It never changes, whatever later versions have.
constexpr const char* version_1 = R"(
PRAGMA application_id = 1131180148;
PRAGMA journal_mode = WAL;
CREATE TABLE cases (key TEXT NOT NULL PRIMARY KEY CHECK (length(key) = 32), cost REAL NOT NULL CHECK (cost >= 0),
  description TEXT NOT NULL) STRICT;
CREATE INDEX cases_by_cost ON cases (cost DESC, key);
CREATE TABLE attempts (number TEXT NOT NULL PRIMARY KEY CHECK (length(number) = 32),
  key TEXT NOT NULL REFERENCES cases (key),
  state TEXT NOT NULL CHECK (state IN ('begun', 'lost', 'withdrawn', 'done')), begun_ms INTEGER NOT NULL) STRICT;
CREATE INDEX attempts_by_case ON attempts (key, state);
CREATE INDEX attempts_under_way ON attempts (state) WHERE state = 'begun';
CREATE TABLE outcomes (key TEXT NOT NULL PRIMARY KEY REFERENCES cases (key),
  status TEXT NOT NULL CHECK (status IN ('fault', 'known', 'ok', 'inconclusive', 'failed')),
  finished_ms INTEGER NOT NULL, seconds REAL NOT NULL CHECK (seconds >= 0),
  attempt TEXT NOT NULL CHECK (length(attempt) = 32), report TEXT NOT NULL) STRICT;
CREATE INDEX outcomes_by_status ON outcomes (status);
INSERT INTO cases VALUES ('0000000000000000000000000000000a', 4.5, '{"model": "a"}');
INSERT INTO cases VALUES ('0000000000000000000000000000000b', 2, '{"model": "b"}');
INSERT INTO attempts VALUES ('11111111111111111111111111111111', '0000000000000000000000000000000a', 'done', 1700000000000);
INSERT INTO outcomes VALUES ('0000000000000000000000000000000a', 'fault', 1700000001000, 1.5,
  '11111111111111111111111111111111', '{"faults": 1}');
PRAGMA user_version = 1;
)";

class StoreFiles : public testing::StorePlace {
 protected:
  void make(const char* sql) const {
    const auto made = Database::open(file_, Database::Use::create).value().run(sql);
    ASSERT_TRUE(made) << made.error().text();
  }
  void put(const std::string& bytes) const { std::ofstream(file_, std::ios::binary) << bytes; }
  [[nodiscard]] std::string bytes() const { return read_file(file_).value(); }
  /// Neither writing nor reading opens the file, and it stays as it is.
  void expect_refusal(ErrorKind kind, const char* why, const StoreOptions& options = {}) const {
    const std::string before = bytes();
    const auto written = CaseStore::open(file_, options);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().kind, kind);
    EXPECT_THAT(written.error().message, AllOf(HasSubstr(file_.string()), HasSubstr(why)));
    EXPECT_NE(written.error().hint, "");
    EXPECT_EQ(bytes(), before);
  }
  /// The same for a reader, which looks at the header and at tables alone.
  void expect_no_reader(ErrorKind kind) const {
    const auto read = CaseReader::open(file_);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().kind, kind);
  }
  fs::path file_ = at("run.sqlite");
};

TEST_F(StoreFiles, OfVersion1AreRead) {
  make(version_1);
  const CaseKey a = CaseKey::from_hex("0000000000000000000000000000000a").value();
  for (int i = 0; i < 2; ++i) {
    const CaseReader reader = CaseReader::open(file_).value();
    EXPECT_EQ(reader.counts().value().planned, 2);
    EXPECT_EQ(reader.find(a).value()->planned.description, R"({"model": "a"})");
    const auto outcome = reader.outcome_of(a).value().value();
    EXPECT_EQ(outcome.outcome.status, OutcomeStatus::fault);
    EXPECT_EQ(outcome.outcome.seconds, 1.5);
    EXPECT_EQ(outcome.finished_ms, 1'700'000'001'000);
    if (i == 0) {
      EXPECT_TRUE(CaseStore::open(file_));  // and again after it was open for writing
    }
  }
}

TEST_F(StoreFiles, AreMadeWithTheTablesOfVersion1) {
  make(version_1);
  testing::StorePlace::store_with(0, "new.sqlite");
  const char* columns =
      "SELECT m.name || ' ' || c.name || ' ' || c.type || ' ' || c.\"notnull\" || c.pk FROM sqlite_schema m,"
      " pragma_table_info(m.name) c WHERE m.type = 'table' ORDER BY m.name, c.cid";
  EXPECT_EQ(testing::rows_of(at("new.sqlite"), columns, 1), testing::rows_of(file_, columns, 1));
  const char* indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name";
  EXPECT_EQ(testing::rows_of(at("new.sqlite"), indexes, 1), testing::rows_of(file_, indexes, 1));
  EXPECT_EQ(testing::rows_of(at("new.sqlite"), "PRAGMA user_version", 1), "1\n");
  EXPECT_EQ(testing::rows_of(at("new.sqlite"), "PRAGMA journal_mode", 1), "wal\n");
}

TEST_F(StoreFiles, OfAnOlderVersionAreBroughtUpStepByStep) {
  make(version_1);
  std::vector<Migration> later(store_migrations().begin(), store_migrations().end());
  later.push_back({2, "ALTER TABLE cases ADD COLUMN made_up TEXT NOT NULL DEFAULT 'x'"});
  later.push_back({3, "UPDATE cases SET made_up = made_up || 'y'"});
  ASSERT_TRUE(CaseReader::open(file_, {.migrations = later}));  // who reads brings it up, too
  EXPECT_EQ(testing::rows_of(file_, "SELECT made_up FROM cases", 1), "xy\nxy\n");
  EXPECT_EQ(testing::rows_of(file_, "PRAGMA user_version", 1), "3\n");
  ASSERT_TRUE(CaseStore::open(file_, {.migrations = later}));
  EXPECT_EQ(testing::rows_of(file_, "SELECT made_up FROM cases", 1), "xy\nxy\n");
  expect_refusal(ErrorKind::unsupported,
                 "was written by a newer culprit: its tables have version 3, and this one knows "
                 "versions up to 1");
  expect_no_reader(ErrorKind::unsupported);
}

TEST_F(StoreFiles, KeepTheVersionBeforeAStepThatFails) {
  make(version_1);
  std::vector<Migration> later(store_migrations().begin(), store_migrations().end());
  later.push_back({2, "ALTER TABLE cases ADD COLUMN made_up TEXT; INSERT INTO no_table VALUES (1)"});
  ASSERT_FALSE(CaseStore::open(file_, {.migrations = later}));
  EXPECT_EQ(testing::rows_of(file_, "PRAGMA user_version", 1), "1\n");
  const auto store = CaseStore::open(file_);
  ASSERT_TRUE(store) << store.error().text();
  EXPECT_EQ(store->counts().value().planned, 2);
}

TEST_F(StoreFiles, OfOthersAreRefusedAndStayAsTheyAre) {
  for (const std::string& other : {std::string(), std::string("no"), std::string(5000, 'x'), std::string(5000, '\0')}) {
    put(other);
    expect_refusal(ErrorKind::bad_input, "it does not begin as a file of SQLite does");
    expect_no_reader(ErrorKind::bad_input);
  }
  fs::remove(file_);
  make("CREATE TABLE cases (key TEXT)");
  expect_refusal(ErrorKind::bad_input, "another program made");
  EXPECT_FALSE(fs::exists(at("run.sqlite-shm")));
}

TEST_F(StoreFiles, WithTriggersOrWithoutTablesAreRefused) {
  make(version_1);
  make("CREATE TRIGGER t AFTER INSERT ON attempts BEGIN DELETE FROM cases; END");
  expect_refusal(ErrorKind::bad_input, "it holds triggers or views");
  expect_no_reader(ErrorKind::bad_input);
  make("DROP TRIGGER t; DROP TABLE outcomes");
  expect_refusal(ErrorKind::bad_input, "tables are absent");
}

TEST_F(StoreFiles, ThatAreDamagedAreRefusedAndStayAsTheyAre) {
  store_with(200);
  const std::string whole = bytes();
  ASSERT_GT(whole.size(), 5U * 4096);
  put(whole.substr(0, whole.size() / 2));
  expect_refusal(ErrorKind::bad_input, "damaged");
  for (std::size_t page = 1; page < whole.size() / 4096; ++page) {
    put(std::string(whole).replace(page * 4096, 4096, 4096, '\x5a'));
    expect_refusal(ErrorKind::bad_input, "damaged");
  }
  put(whole);
  EXPECT_EQ(CaseStore::open(file_).value().counts().value().planned, 200);
}

TEST_F(StoreFiles, ThatAreAbsentOrCannotBeMadeSaySo) {
  EXPECT_EQ(CaseReader::open(file_).error().kind, ErrorKind::not_found);
  EXPECT_FALSE(fs::exists(file_));
  const auto nowhere = CaseStore::open(at("no/run.sqlite"));
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().kind, ErrorKind::io);
  EXPECT_THAT(nowhere.error().message, HasSubstr("no/run.sqlite"));
  fs::create_directory(file_);
  EXPECT_THAT(complaint_of(CaseStore::open(file_)), HasSubstr("it is no regular file"));
}

TEST_F(StoreFiles, ThatWereHalfMadeAreMadeAnew) {
  std::ofstream(at("run.sqlite.new")) << "half of it";
  std::ofstream(at("run.sqlite.new-journal")) << "and this";
  store_with(1);
  EXPECT_EQ(testing::integrity_of(file_), "ok\n");
  EXPECT_FALSE(fs::exists(at("run.sqlite.new")));
  EXPECT_FALSE(fs::exists(at("run.sqlite.new-journal")));
}

}  // namespace
}  // namespace culprit
