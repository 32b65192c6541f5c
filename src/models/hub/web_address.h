#pragma once
// Paths as parts of addresses.

#include <string>
#include <string_view>

namespace culprit {

/// A path as a relative reference of RFC 3986: what is no letter, digit or sign that stands for itself becomes %20 and
/// such; '/' stays.
std::string as_address(std::string_view path);

}  // namespace culprit
