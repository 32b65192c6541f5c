#pragma once
// Addresses as people may see them: in messages, logs and reports of a public CI.

#include <string>
#include <string_view>

namespace culprit {

/// Without a password and without what stands behind '?', where servers put signatures:
/// "https://me:secret@host/a?sign=1" becomes "https://host/a?...". At most 300 characters, printable.
std::string told_address(std::string_view url);

}  // namespace culprit
