#pragma once
// A store as a file: made whole, looked at before it is believed, and brought up to this version. Private to this room.

#include <filesystem>
#include <span>

#include "base/error.h"
#include "store/database.h"
#include "store/migrations.h"

namespace culprit {

/// Makes a store without cases. It is made beside and renamed, so a store that is there is whole. Only who has the
/// WriterLock may call it.
Result<void> make_store_file(const std::filesystem::path& file, std::span<const Migration> migrations);

/// How much of a file is looked at before it is believed.
enum class Scrutiny {
  header,  ///< the kind, the version, the tables
  whole,   ///< every page as well
};

/// Is it a store that this version knows? The file stays as it is. Its version, which may be an older one. Errors:
/// not_found; bad_input for what is no store or is damaged; unsupported for a newer version; io.
Result<std::int64_t> inspect_store_file(const std::filesystem::path& file, std::span<const Migration> migrations,
                                        Scrutiny scrutiny);

/// Brings an open store up to the last of the migrations, version by version, each whole or not at all.
Result<void> migrate(const Database& database, std::span<const Migration> migrations);

/// Opens a store to read it. An older one is brought up to the last of the migrations first: ErrorKind::usage where
/// another process has that open for writing. Else the errors of `inspect_store_file`.
Result<Database> open_store_to_read(const std::filesystem::path& file, std::span<const Migration> migrations);

/// Opens a store to write it, and looks at every page before. Only who has the WriterLock may call it.
Result<Database> open_store_to_write(const std::filesystem::path& file, std::span<const Migration> migrations);

}  // namespace culprit
