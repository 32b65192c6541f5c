#pragma once
// A region of the target alone, changed and fed the source's values: the proof of faults.

#include "conversion/faults/confirm.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

class RegionAlone {
 public:
  /// `sketches`: the target's, for the shapes in which borders are fed. All must outlive it.
  explicit RegionAlone(const BothSides& sides);

  /// What `confirm` asks. `region` must outlive it.
  TryEdits of(const FaultRegion& region);

 private:
  Result<std::optional<JudgedPair>> run(const FaultRegion& region, const std::vector<Edit>& edits, bool on_all_samples);
  Result<std::vector<Tensor>> given(const FaultRegion& region, const std::vector<Edit>& edits,
                                    const std::vector<SideFeed>& feeds, bool on_all_samples);

  const BothSides& sides_;
  DrawnFloors on_map_, on_all_;  ///< by draws of the source
};

}  // namespace culprit
