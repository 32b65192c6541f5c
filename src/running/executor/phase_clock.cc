#include "executor/phase_clock.h"

#include <algorithm>
#include <ctime>

namespace culprit {
namespace {

/// The CPU time that this process has used so far, with its threads.
double cpu_seconds_here() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

Spent spent_on(const RunOutcome& run) { return {run.seconds_run, run.seconds_load, 0}; }
Spent spent_on(const ImportOutcome& import) { return {0, 0, import.seconds_total}; }
Spent spent_on(const VariantOutcome& variant) { return {0, 0, variant.seconds_total}; }
Spent spent_on(const ScanOutcome& /*scan*/) { return {}; }
Spent spent_on(const InterruptedOutcome& /*interrupted*/) { return {}; }

}  // namespace

std::optional<Outcome> PhaseClock::next() {
  auto outcome = inner_.next();
  if (outcome) spent_ += std::visit([](const auto& one) { return spent_on(one); }, *outcome);
  return outcome;
}

PhaseClock::Reading PhaseClock::read() const {
  return {std::chrono::steady_clock::now(), cpu_seconds_here(), spent_, inner_.counts()};
}

void PhaseClock::begin(Phase phase) {
  phases_ = phases();
  const auto known = std::ranges::find(phases_, phase, &PhaseRecord::phase);
  current_ = static_cast<std::size_t>(known - phases_.begin());
  if (known == phases_.end()) phases_.emplace_back().phase = phase;
  began_ = read();
}

std::vector<PhaseRecord> PhaseClock::phases() const {
  std::vector<PhaseRecord> all = phases_;
  if (all.empty()) return all;
  const Reading now = read();
  PhaseRecord& current = all.at(current_);
  current.seconds += std::chrono::duration<double>(now.time - began_.time).count();
  current.seconds_here += now.cpu_seconds - began_.cpu_seconds;
  current.spent += now.spent;
  current.spent -= began_.spent;
  current.counts += now.counts;
  current.counts -= began_.counts;
  return all;
}

}  // namespace culprit
