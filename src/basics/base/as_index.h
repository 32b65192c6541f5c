#pragma once
// Numbers of nodes and values are ints, as protobuf's are, and places in vectors are not.

#include <cstddef>

namespace culprit {

/// A number that is not negative, as a place in a vector.
constexpr std::size_t as_index(int number) { return static_cast<std::size_t>(number); }

}  // namespace culprit
