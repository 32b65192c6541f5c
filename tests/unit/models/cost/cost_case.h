#pragma once

#include <ostream>

namespace culprit {

/// A graph of one node, and what it costs.
struct CostCase {
  const char* graph;
  double flops, moved;
};
inline void PrintTo(const CostCase& shown, std::ostream* stream) { *stream << shown.graph; }

}  // namespace culprit
