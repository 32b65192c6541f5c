#pragma once
// Makes a failing case smaller as long as it fails in the same way. Pure over an oracle, which says whether it does:
// the loop knows neither optimizers nor runtimes. Chunks are tried from coarse to fine, after Zeller and Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002, and llvm-reduce's deltas
// (https://llvm.org/docs/CommandGuide/llvm-reduce.html).

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "reduce/delta.h"

namespace culprit {

enum class Answer {
  no,
  yes,
  mistyped,  ///< not looked at: it declares types that are not true, and the case as given did not
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  /// For each case: does it fail in the way that is sought? `fresh`: in fresh processes, without anything remembered.
  /// ErrorKind::interrupted where the user asked to stop; any other error ends the reduction as well.
  virtual Result<std::vector<Answer>> ask(std::span<const Case> cases, bool fresh) = 0;
  /// How many cases it works on at once: batches are that large.
  [[nodiscard]] virtual std::size_t places() const { return 1; }
};

/// Tells values inside of a case. What it cannot tell is left out.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual Result<Captured> capture(const Case& a_case, std::span<const std::string> names) = 0;
};

/// What one delta did, over all rounds.
struct DeltaFacts {
  std::string name;
  std::size_t checks = 0;    ///< cases that the oracle was asked about
  std::size_t accepted = 0;  ///< steps
  double seconds = 0;
};

struct Reduction {
  Case best;
  CaseSize before, after;
  enum class End {
    done,         ///< no delta makes it smaller
    time_up,      ///< `best` is the best so far
    interrupted,  ///< the same
    not_shown,    ///< the case does not fail as it is: nothing was reduced
  } end = End::done;
  std::size_t shown = 0, asked = 0;  ///< of the last look at `best`: shown in so many of so many fresh runs
  bool flickers = false;             ///< some case failed in one run and not in another
  std::size_t lost = 0;              ///< how often a row of steps was taken back, for the failure no longer showed
  std::size_t checks = 0;            ///< cases that the oracle was asked about, those of repetitions included
  std::size_t remembered = 0;        ///< cases that were asked about before
  double seconds = 0;
  std::vector<DeltaFacts> deltas;  ///< in their order
};

struct ReduceTools {
  Oracle& oracle;
  Recorder* recorder = nullptr;
  std::function<bool()> is_time_up = {};  ///< empty: never
  /// Told of every step, with what is best now and how it came about; what it was told of last is what is left when the
  /// program is killed. An error ends the reduction.
  std::function<Result<void>(const Case& best, const CaseSize& size, const std::string& delta)> on_better = {};
  std::function<void(const std::string& delta, const CaseSize& size, std::size_t checks)> progress = {};
  std::size_t confirmations = 3;  ///< fresh runs in which a result must show again
};

/// Runs the deltas one after the other, and all of them again until none changes anything. After a delta the result is
/// asked for again, in a fresh run; steps that lost the failure are taken back, so that what is left showed it at least
/// half as often as the case did at first. A failure that flickers is asked for up to five times: `shown` of `asked`
/// says how often it was seen, no more.
Result<Reduction> reduce(const Case& start, std::span<const Delta> deltas, const ReduceTools& tools);

}  // namespace culprit
