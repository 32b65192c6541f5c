#pragma once
// The proof of a fault: with the edit the target's region, run alone on the source's values, gives the source's value.

#include <functional>
#include <vector>

#include "conversion/faults/parameter_evidence.h"
#include "conversion/readings/drawn_floors.h"
#include "record/measurement.h"

namespace culprit {

/// The region alone, with these edits, fed the source's values of its borders; what it gives against the source's value
/// of the cut. `on_all_samples`: else on the map samples. nullopt: it does not run so.
using TryEdits = std::function<Result<std::optional<JudgedPair>>(const std::vector<Edit>& edits, bool on_all_samples)>;

struct Confirmation {
  std::vector<std::size_t> proposals;  ///< the fewest that mend it together; empty: none do
  bool is_right_as_it_is = false;      ///< without any edit: the cut was wrong, or a floor too low
  bool on_all_samples = false;         ///< else `why`
  std::string why;
  Measurement before, after;  ///< of the region without and with the edits
  int tries = 0;
};

/// Single edits, all of parameters and hyper-parameters together, these with each one of the graph, pairs, all; at most
/// `most` tries; then ddmin (search/ddmin.h), and other hyper-parameters of the same layers join them; then once on all
/// samples. What makes the region equal comes before what leaves it to drift; where it drifts without any edit and a
/// parameter or hyper-parameter is another, only what makes it equal counts. Errors: of `attempt`.
Result<Confirmation> confirm(const std::vector<EditProposal>& proposals, const TryEdits& attempt, int most = 60);

}  // namespace culprit
