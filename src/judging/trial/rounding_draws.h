#pragma once
// What rounding can do to the outputs, found out as it is asked for: draws of samples, added up (trial/draw_runs.h
// makes single ones). All levels of the runtime share it.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/draw_results.h"
#include "trial/draw_runs.h"
#include "trial/known_rounding.h"

namespace culprit {

/// Fills what is known of rounding (trial/known_rounding.h). Each sample is drawn once, for however many ask.
class RoundingDraws {
 public:
  RoundingDraws(Dispatcher& dispatcher, const Reference& reference, KnownRounding& known)
      : dispatcher_(dispatcher), reference_(reference), known_(known) {}
  RoundingDraws(const RoundingDraws&) = delete;
  RoundingDraws& operator=(const RoundingDraws&) = delete;

  /// Is there anything to move? To be asked when the samples are known.
  [[nodiscard]] bool possible();
  /// The draws of a sample from number `from` to before `to`; the first `from` are known. `ask` begins them.
  void want(std::size_t sample, int from, int to);
  void ask();
  /// Called each time that more is known.
  void listen(std::function<void()> listener) { listeners_.push_back(std::move(listener)); }

 private:
  /// Draws of some samples, from one number of draws to the next, that are under way.
  struct Round {
    int from = 0, to = 0;
    std::vector<std::size_t> samples;
    std::vector<std::map<std::string, Drawn>> drawn = {};  ///< by sample
    int owed = 0;
  };
  using RoundPtr = std::shared_ptr<Round>;

  void start(const RoundPtr& round);
  void take(Round& round, const Draw& draw, const RunOutcome& outcome);
  void finish(Round& round);

  Dispatcher& dispatcher_;
  const Reference& reference_;
  KnownRounding& known_;
  std::unique_ptr<Draws> draws_;  // made when first needed: then the samples are known
  std::vector<std::function<void()>> listeners_;
  std::set<std::pair<std::size_t, int>> asked_;                     // by sample and how many draws
  std::map<std::pair<int, int>, std::vector<std::size_t>> wanted_;  // not asked for yet: samples, by from and to
};

}  // namespace culprit
