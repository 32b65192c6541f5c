#pragma once
// Is a value of the target the source's? By what rounding alone does to both: draws of the source and of the target, in
// which weights (or inputs) move by units in the last place, and the tolerance (judge/judge.h).

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "conversion/readings/elements.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "record/measurement.h"

namespace culprit {

enum class Likeness {
  equal,    ///< it differs by no more than rounding explains
  drifts,   ///< by more, all within the tolerance
  differs,  ///< beyond both, or in another form
};

struct JudgedSample {
  Likeness likeness = Likeness::differs;
  double max_abs = 0;
};

struct JudgedPair {
  Likeness likeness = Likeness::differs;
  Measurement measurement;                   ///< the worst over the samples
  std::vector<JudgedSample> by_sample = {};  ///< empty where they are of another form
};

/// A tensor of the target's value in the source's order and shape. Errors: the shapes do not fit.
using BringBack = std::function<Result<Tensor>(const Tensor& target, const Shape& source)>;

/// What is judged: the elements of both, one tensor for each sample, each in its own layout.
struct ValuePair {
  int source = -1, target = -1;
  std::span<const Tensor> of_source, of_target;
  BringBack bring_back;  ///< empty: as it is
};

/// `of_target` in the source's order, shape and type. Nothing where one does not fit.
std::optional<std::vector<Tensor>> brought_to_source(const ValuePair& pair, std::span<const Tensor> of_target);

class ValueJudge {
 public:
  virtual ~ValueJudge() = default;
  /// Types are cast to the source's before. Errors: interrupted, io.
  virtual Result<JudgedPair> judge(const ValuePair& pair) = 0;
  /// Judges by what is known already, and runs nothing. A value may look further off than it is.
  [[nodiscard]] virtual JudgedPair first_look(const ValuePair& pair) const = 0;
};

/// By the reference's own size and the tolerance alone: a few units in the last place are rounding. Nothing is run.
class PlainJudge : public ValueJudge {
 public:
  explicit PlainJudge(const Tolerance& tolerance) : tolerance_(tolerance) {}
  Result<JudgedPair> judge(const ValuePair& pair) override { return first_look(pair); }
  [[nodiscard]] JudgedPair first_look(const ValuePair& pair) const override;

 private:
  Tolerance tolerance_;
};

struct FloorOptions {
  Tolerance tolerance = {};
  int draws = 3;        ///< of each side; none: as PlainJudge
  int most_draws = 27;  ///< where these do not settle it (judge/draw_need.h)
};

/// By draws, made when they are first needed and kept for the value. Draws of a side whose files cannot be drawn do not
/// count.
class DrawnFloors : public ValueJudge {
 public:
  /// What one side computes under a perturbation: elements of its values on the very samples that pairs are judged on.
  using DrawsOf = std::function<std::unique_ptr<Elements>(const Perturbation&)>;

  /// An empty function: that side is not drawn. `natures`: of the source's values; empty: all smooth.
  DrawnFloors(const FloorOptions& options, DrawsOf source, DrawsOf target, std::function<Nature(int)> natures = {});

  /// The target computes something else from now on (it is fed, or edited): its draws so far go.
  void change_target(DrawsOf target);
  Result<JudgedPair> judge(const ValuePair& pair) override;
  [[nodiscard]] JudgedPair first_look(const ValuePair& pair) const override;
  /// Draws that were asked for, of both sides.
  [[nodiscard]] std::int64_t draws_made() const { return made_; }

 private:
  /// Draws of one side that were begun, by their number.
  struct Draws {
    DrawsOf make;
    std::vector<std::unique_ptr<Elements>> elements = {};
  };
  /// What is known of one value: by sample what draws did to it.
  struct DrawnValue {
    int asked = 0;
    std::vector<Drawn> by_sample;
  };
  static constexpr std::uint64_t most_kept_bytes = std::uint64_t{1} << 30;

  Result<std::vector<Tensor>> draw(Draws& of, int number, int value);
  Result<void> add_source_draws(const ValuePair& pair, DrawnValue& known, int to);
  Result<std::vector<Explained>> explained_of_target(const ValuePair& pair, const std::vector<Tensor>& brought);
  DrawnValue& known_of(const ValuePair& pair);
  [[nodiscard]] int source_draws_needed(const JudgedPair& found, const std::vector<Explained>& explained,
                                        const DrawnValue& known) const;
  [[nodiscard]] bool may_be_the_targets(const ValuePair& pair, const JudgedPair& found,
                                        const std::vector<Explained>& explained) const;

  FloorOptions options_;
  std::function<Nature(int)> natures_;
  Draws source_, target_;
  std::map<int, DrawnValue> known_;  // by the source's value
  std::uint64_t kept_bytes_ = 0;
  std::int64_t made_ = 0;
};

/// How draw number `number`, from 0, moves a model.
Perturbation perturbation_of_draw(int number);

}  // namespace culprit
