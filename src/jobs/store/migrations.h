#pragma once
// The versions of a store's tables, and the way from each to the next.

#include <cstdint>
#include <span>
#include <string>

namespace culprit {

/// One step from the version before to `version`.
struct Migration {
  std::int64_t version = 1;
  std::string sql;  ///< statements without results, separated by ';'
};

/// What makes a store of nothing: version 1, and each later one from that before it. What is in this list once is never
/// changed. docs/reference/store.md has the tables.
std::span<const Migration> store_migrations();

/// In the header of each store ("Clpt"), which tells it from other files of SQLite.
constexpr std::int64_t store_application_id = 0x436c7074;

}  // namespace culprit
