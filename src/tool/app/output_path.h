#pragma once
// The file that a user names with -o.

#include <filesystem>
#include <string>

#include "base/error.h"

namespace culprit {

/// ErrorKind::usage: "-o FILE: " and then why it cannot be written there.
tl::unexpected<Error> unfit(const std::filesystem::path& out, const std::string& why);

}  // namespace culprit
