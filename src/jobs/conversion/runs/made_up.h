#pragma once
// Two regions alone on made-up inputs: what faults do that no sample shows.

#include "conversion/faults/unreached.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

class MadeUpRuns {
 public:
  /// Must outlive it.
  explicit MadeUpRuns(const BothSides& sides) : sides_(sides) {}

  Result<std::optional<MadeUpOutcome>> run(const FaultRegion& region, const std::vector<Edit>& edits);

 private:
  /// Inputs of the region in the source's layout, one after the other; nothing where one has no floats.
  Result<std::vector<std::vector<Tensor>>> inputs_of(const FaultRegion& region);
  Result<std::vector<Tensor>> given(ReadSide& side, int value, const std::vector<int>& layers,
                                    std::vector<SideFeed> feeds, const std::vector<Edit>& edits);

  const BothSides& sides_;
};

}  // namespace culprit
