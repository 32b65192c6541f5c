#pragma once
// The smallest graph that shows that a library does what it is asked: y = x + x, floats. Its bytes are a GraphDef of a
// Placeholder x and an AddV2 y. Private to this room.

#include <string_view>

namespace culprit::tf {

constexpr std::string_view known_graph =
    "\n\x1d\n\x01x\x12\x0bPlaceholder*\x0b\n\x05"
    "dtype\x12\x02"
    "0\x01\n\x19\n\x01y\x12\x05"
    "AddV2\x1a\x01x\x1a\x01x*\x07\n\x01T\x12\x02"
    "0\x01";
static_assert(known_graph.size() == 58);

}  // namespace culprit::tf
