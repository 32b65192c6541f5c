#pragma once
// Which pieces of one change are bad? Pure: what the others do without them is asked of an oracle.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "search/ddmin.h"

namespace culprit {

/// Does it fail with these pieces alone? An Error ends the search.
using PieceOracle = std::function<Result<bool>(const Subset& pieces)>;

struct BadPieces {
  Subset pieces;          ///< fail together, and no part of them does
  std::size_t held = 0;   ///< times that they failed
  std::size_t asked = 0;  ///< of so many
};

struct PieceSearch {
  std::vector<BadPieces> found;
  bool complete = false;  ///< all pieces but those found were seen not to fail
  std::string message;    ///< where not complete: why
  std::size_t asked = 0;
};

/// ddmin, again and again on what is left, until that does not fail: so all that are independent are found. At most
/// `most_asked` questions.
Result<PieceSearch> find_bad_pieces(std::size_t count, const PieceOracle& fails, std::size_t most_asked = 100);

}  // namespace culprit
