#pragma once
// Finds where the target can be fed with the source's values so that a fault lies before and what lies behind is right:
// the candidates in their order (pure), and the search among them by runs that a function makes.

#include <functional>
#include <optional>
#include <vector>

#include "conversion/map/coverage.h"
#include "conversion/walk/suspects.h"

namespace culprit {

/// What the search of one cut sees.
struct CutTask {
  const Ways& source;
  const Ways& target;
  const std::map<int, ValueSketch>& sketches_source;
  const std::map<int, ValueSketch>& sketches_target;  ///< under the feeds so far
  const ConversionMap& map;                           ///< parameters; its values are the known ones
  const std::vector<bool>& suspects;
  const std::vector<ValueMatch>& outputs;  ///< bound
  std::vector<int> fed;                    ///< the target's values that are fed already
  int suspect = -1;                        ///< the first: no cut lies before it
  std::vector<ValueMatch> refused = {};    ///< cuts that explained nothing
};

struct CutCandidate {
  int source = -1, target = -1;
  int depth = 0;  ///< layers from the first suspect to `source`
  double rank = 0;
  bool holds_kernel = false;       ///< the maker of `target` holds the kernel of the group
  bool is_alike = false;           ///< both are of one type, or the source's ends what is computed with the kernel
  std::vector<ValueOrder> orders;  ///< that the feed may have, the likeliest first; never empty
};

/// At most `most_each` of each depth 0 to 6, by depth and then by rank. Pure.
std::vector<CutCandidate> cut_candidates(const CutTask& task, std::size_t most_each = 12);

/// What the target gives when it is fed at `target` as well: what is found then. nullopt: it does not run so.
using TryCut = std::function<Result<std::optional<ValueMatches>>(const ValueMatch& cut)>;

struct FoundCut {
  ValueMatch cut;           ///< by = fed
  bool is_settled = false;  ///< else the best guess: what lies behind is wrong by itself
  int tries = 0;            ///< calls of TryCut
};

/// Depth by depth; stops at the first depth at which one is settled, and two behind it where its makers have nothing in
/// common. nullopt: no candidate, or none runs. At most `most_tries` calls. Errors: of `attempt`.
Result<std::optional<FoundCut>> find_cut(const CutTask& task, const TryCut& attempt, int most_tries = 40);

}  // namespace culprit
