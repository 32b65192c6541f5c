#pragma once
// Values of flags: what was typed -> what is meant, or an error that says what was found and what would do.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// A whole number from `low` to `high`, both included.
Result<std::int64_t> whole_number(const std::string& flag, const std::string& text, std::int64_t low,
                                  std::int64_t high);
Result<std::uint64_t> seed_number(const std::string& flag, const std::string& text);
/// Finite; NaN is refused.
Result<double> finite_number(const std::string& flag, const std::string& text);
/// Finite and not negative; NaN is refused.
Result<double> tolerance_number(const std::string& flag, const std::string& text);
/// "120s", "2m", "500ms" -> seconds, more than 0.
Result<double> duration(const std::string& flag, const std::string& text);
/// "8GB", "512MB" -> bytes; at least 64 MB, for with less nothing starts.
Result<std::uint64_t> memory_size(const std::string& flag, const std::string& text);
/// One of `choices`, or an error with the closest.
Result<std::string> choice(const std::string& flag, const std::string& text, const std::vector<std::string>& choices);
/// "batch=1" ... -> sizes by name; each 1 or more, no name twice with different sizes.
Result<std::map<std::string, std::int64_t>> sizes_by_name(const std::string& flag,
                                                          const std::vector<std::string>& typed);

/// ErrorKind::usage: "A and B contradict each other".
tl::unexpected<Error> contradiction(const std::string& one, const std::string& other, const std::string& hint);

}  // namespace culprit
