#pragma once
// Draws: the original run again with rounding imitated, which is the worker's affair (Perturbation).

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "executor/dispatcher.h"
#include "trial/reference.h"

namespace culprit {

struct Draw {
  std::uint64_t seed = 0;
  unsigned ulps = 1;                      ///< 0: nothing is moved
  std::vector<std::size_t> samples = {};  ///< by number in the reference
};

/// Draw number `number`, from 0.
Draw draw_of(int number, std::vector<std::size_t> samples);

/// The outcome's outputs stand in the order of the draw's samples, and are removed afterwards.
using OnDraw = std::function<void(const Draw&, const RunOutcome&)>;

/// A variant that is drawn itself: its file, and what it is fed.
struct DrawnVariant {
  std::filesystem::path file;
  std::vector<BoundInput> inputs;
  RenamedOutputs outputs = {};
};

/// Makes draws at the reference's level, a few at a time: each holds a copy of the model in its worker, which moves the
/// weights there, so that no copy is written. Must outlive the draws; to be made when the samples are known.
class Draws {
 public:
  /// Folders of draws begin with `folder`, and its parent is there or can be made.
  Draws(Dispatcher& dispatcher, const Reference& reference, std::filesystem::path folder);
  /// Draws this variant in place of the original, as that is drawn.
  Draws(Dispatcher& dispatcher, const Reference& reference, std::filesystem::path folder, DrawnVariant variant);

  /// Is there anything to move: a float weight, what a node computes or adds up, what is quantized?
  [[nodiscard]] bool possible() const { return model_moves_; }

  void ask(Draw draw, OnDraw then);

 private:
  struct Asked {
    Draw draw;
    OnDraw then;
  };

  void start_next();
  void start(const Asked& asked);
  Result<RunJob> prepare(const Draw& draw, const std::filesystem::path& folder);
  void finish(const Asked& asked, const RunOutcome& outcome, const std::filesystem::path& folder);

  Dispatcher& dispatcher_;
  const Reference& reference_;
  std::filesystem::path folder_;
  DrawnVariant drawn_;
  bool model_moves_ = false;
  std::deque<Asked> waiting_;
  std::size_t under_way_ = 0;
  std::size_t started_ = 0;
};

}  // namespace culprit
