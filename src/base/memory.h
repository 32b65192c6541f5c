#pragma once
// What the system knows of the memory of this process.

#include <cstdint>

namespace culprit {

/// The largest resident size that this process has had since it was started or forked, in bytes; 0 where the system
/// does not tell. Not getrusage's: that hands down the size of whoever started the process.
std::uint64_t peak_resident_bytes();

}  // namespace culprit
