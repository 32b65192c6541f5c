#pragma once
// Which values of an input make sense, from what the graph does with it, its name, type and place.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/dim_names.h"
#include "model/input_uses.h"
#include "model/model.h"
#include "model/tree_thresholds.h"

namespace culprit {

struct Rule {
  enum class Way {
    uniform,    ///< from `low` to `high`, both included, and within every bound
    distinct,   ///< the same, no number twice as long as there are others
    positions,  ///< behind what a cache holds: past, past + 1, ...
    mask,       ///< a prefix of ones; all in the first sample
    either,     ///< true and false in turn, from sample to sample
    one_of,     ///< one of `numbers` in a sample, in turn
    around,     ///< below, at and above the thresholds of its column
    elements,   ///< each element has a meaning of its own, by `use`
  };
  /// At most `size` + `more`, where the size is known.
  struct Bound {
    Dim size;
    std::int64_t more = 0;
  };

  Way way = Way::uniform;
  double low = 0, high = 0;
  std::vector<Bound> bounds = {};
  std::vector<double> numbers = {};
  Thresholds columns = {};      ///< of `around`; columns without any are standard normal
  std::optional<Use> use = {};  ///< of `elements`
  bool is_index = false;        ///< of rows of a table
  std::size_t turn = 0;         ///< of `either` and `around`: which of several it is
  std::string reason = {};      ///< "rows of 'wte' (Gather)"
};

/// By input; none for those of which nothing more than the type is known.
using Rules = std::map<std::string, Rule>;

/// The graph's uses come first (what indexes must stay within its table), then the thresholds of its trees, then names:
/// *mask*, position_ids, *_lengths.
Rules rules_for(const std::vector<ValueInfo>& inputs, const std::map<std::string, std::vector<Use>>& uses,
                const std::map<std::string, Thresholds>& thresholds = {});

/// The largest number that keeps to the rule with these sizes.
double highest(const Rule& rule, const Sizes& sizes);
/// "0..49999, rows of 'wte' (Gather)", with these sizes
std::string describe(const Rule& rule, const Sizes& sizes);

}  // namespace culprit
