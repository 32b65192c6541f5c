#include "store/migrations.h"

#include <array>

namespace culprit {
namespace {

// The report is the last column: what stands before it is read without it.
constexpr const char* first_tables = R"(
CREATE TABLE cases (
  key TEXT NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  cost REAL NOT NULL CHECK (cost >= 0),
  description TEXT NOT NULL
) STRICT;
CREATE INDEX cases_by_cost ON cases (cost DESC, key);

CREATE TABLE attempts (
  number TEXT NOT NULL PRIMARY KEY CHECK (length(number) = 32),
  key TEXT NOT NULL REFERENCES cases (key),
  state TEXT NOT NULL CHECK (state IN ('begun', 'lost', 'withdrawn', 'done')),
  begun_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX attempts_by_case ON attempts (key, state);
CREATE INDEX attempts_under_way ON attempts (state) WHERE state = 'begun';

CREATE TABLE outcomes (
  key TEXT NOT NULL PRIMARY KEY REFERENCES cases (key),
  status TEXT NOT NULL CHECK (status IN ('fault', 'known', 'ok', 'inconclusive', 'failed')),
  finished_ms INTEGER NOT NULL,
  seconds REAL NOT NULL CHECK (seconds >= 0),
  attempt TEXT NOT NULL CHECK (length(attempt) = 32),
  report TEXT NOT NULL
) STRICT;
CREATE INDEX outcomes_by_status ON outcomes (status);
)";

}  // namespace

std::span<const Migration> store_migrations() {
  static const std::array<Migration, 1> all = {{{1, first_tables}}};
  return all;
}

}  // namespace culprit
