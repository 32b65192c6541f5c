#pragma once
// Is a file what the manifest promised?

#include <filesystem>
#include <string>

#include "base/error.h"
#include "hub/hub_manifest.h"

namespace culprit {

/// The sha256 of the file. ErrorKind::bad_input, with both, where the manifest names another one; io.
Result<std::string> promised_digest(const std::filesystem::path& file, const HubFile& promised);

/// ErrorKind::bad_input, with both, where the manifest names another number of bytes. `where` is what it calls the
/// file.
Result<void> expect_promised_bytes(const std::filesystem::path& file, const HubFile& promised,
                                   const std::string& where);

}  // namespace culprit
