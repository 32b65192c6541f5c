#pragma once
// The target under feeds, run and matched: what the walk asks for.

#include <memory>

#include "conversion/runs/both_sides.h"
#include "conversion/walk/walk.h"

namespace culprit {

class FedTargetRuns {
 public:
  /// `inputs`, `outputs`: bound. `wrong`: those of the outputs that are wrong on all samples; as the target came no
  /// other is bad, but for what drifts behind a value that must be equal. `must_be_equal`: as of MatchTask. All must
  /// outlive it. `strict`: an output that drifts is bad, too.
  FedTargetRuns(const BothSides& sides, const std::vector<ValueMatch>& inputs, const std::vector<ValueMatch>& outputs,
                const std::vector<ValueMatch>& wrong, std::vector<bool> must_be_equal, bool strict);

  /// WalkRuns::whole and WalkRuns::near.
  Result<std::optional<FedTarget>> whole(const std::vector<ValueMatch>& cuts);
  Result<std::optional<FedTarget>> near(const std::vector<ValueMatch>& cuts);

 private:
  struct Reading {
    std::map<int, ValueSketch> sketches;
    std::unique_ptr<Elements> elements;
    bool stops = false;  ///< in the middle
  };
  [[nodiscard]] Reading as_it_came() const;
  Result<Reading> read(const std::vector<SideFeed>& feeds, const std::vector<int>& values);
  Result<std::optional<FedTarget>> run(const std::vector<ValueMatch>& cuts, bool is_near);
  [[nodiscard]] std::vector<int> shown_near(int target) const;
  [[nodiscard]] bool is_known_to_be_right(const ValueMatch& output, bool inherits) const;
  [[nodiscard]] std::vector<bool> drift_is_inherited(const ValueMatches& found) const;
  Result<std::vector<int>> bad_outputs(const std::vector<ValueMatch>& cuts, const std::vector<bool>& inherits,
                                       Elements& elements, ValueJudge& judge);

  const BothSides& sides_;
  const std::vector<ValueMatch>& inputs_;
  const std::vector<ValueMatch>& outputs_;
  const std::vector<ValueMatch>& wrong_;
  std::vector<bool> must_be_equal_;
  bool strict_;
  DrawnFloors floors_;
  PlainJudge plain_;
  std::map<int, ValueSketch> sketches_;  ///< of the whole target, under the feeds that it was last asked for
  ValueMatches known_;
};

}  // namespace culprit
