#pragma once
// Addresses as people may see them: in messages, logs and reports of a public CI.

#include <string>
#include <string_view>

namespace culprit {

/// The address without its password, and without what follows '?', where servers put signatures:
/// "https://me:secret@host/a?sign=1" becomes "https://host/a?...". At most 300 characters, printable.
std::string told_address(std::string_view url);

}  // namespace culprit
