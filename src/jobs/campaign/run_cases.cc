#include "campaign/run_cases.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace culprit {
namespace {

/// Nobody else may run beside these: what measures time, and what a process died of before.
bool must_be_alone(const CaseEntry& entry, const CaseOrder& order) {
  return entry.lost_attempts > 0 || runs_alone(order);
}

/// What is left of the time that all cases were expected to take, told by how long those that ended took.
class Forecast {
 public:
  explicit Forecast(double seconds_left) : cost_left_(seconds_left) {}
  void ended(double cost, double seconds) {
    cost_left_ = std::max(cost_left_ - cost, 0.0);
    cost_ += cost;
    seconds_ += seconds;
  }
  [[nodiscard]] std::optional<double> seconds_left(std::size_t jobs) const {
    if (cost_ <= 0) return std::nullopt;
    return cost_left_ * seconds_ / cost_ / static_cast<double>(jobs);
  }

 private:
  double cost_left_;
  double cost_ = 0, seconds_ = 0;
};

class CaseLoop {
 public:
  CaseLoop(const RunSettings& settings, const RunTools& tools) : settings_(settings), tools_(tools) {}

  Result<RunEnd> run() {
    if (auto ok = count(); !ok) return tl::unexpected(ok.error());
    auto end = go_on();
    tools_.runner.kill_all();
    for (const auto& [key, running] : running_) {
      const auto withdrawn = tools_.store.withdraw(running.attempt);
      if (!withdrawn && end) end = tl::unexpected(withdrawn.error());
    }
    return end;
  }

 private:
  struct Running {
    AttemptId attempt;
    CaseOrder order;
    double cost = 0;
    bool alone = false;
  };
  enum class Started { one, none };

  [[nodiscard]] CaseFilter waiting() const {
    CaseFilter filter;
    filter.states = {CaseState::waiting};
    filter.shard = settings_.shard;
    return filter;
  }

  /// How many there are, and which of them are set aside or have failed and are to be tried again.
  Result<void> count() {
    CaseFilter all;
    all.shard = settings_.shard;
    double cost = 0;
    std::vector<CaseKey> set_aside;
    auto counted = tools_.store.for_each(all, [&](const CaseEntry& entry) {
      ++progress_.total;
      const bool has_failed = entry.status == OutcomeStatus::failed;
      const bool again = settings_.again && (has_failed || entry.state == CaseState::set_aside);
      if (again && entry.state == CaseState::set_aside) set_aside.push_back(entry.planned.key);
      if (again && has_failed) later_.push_back(entry.planned.key);
      if (again || entry.state == CaseState::waiting)
        cost += entry.planned.cost;
      else
        ++progress_.done;
      if (entry.state == CaseState::finished && entry.status == OutcomeStatus::fault) ++progress_.faults;
      return Looking::on;
    });
    if (!counted) return counted;
    for (const CaseKey& key : set_aside)
      if (auto ok = tools_.store.try_again(key); !ok) return ok;
    forecast_ = Forecast(cost);
    return {};
  }

  Result<RunEnd> go_on() {
    while (true) {
      if (is_stopped(settings_.is_interrupted)) return RunEnd::interrupted;
      if (settings_.stop_after_faults > 0 && new_faults_ >= settings_.stop_after_faults) return RunEnd::enough_faults;
      if (auto ok = fill(); !ok) return tl::unexpected(ok.error());
      if (running_.empty()) return RunEnd::all_done;
      const auto ended = tools_.runner.wait();
      if (!ended) return tl::unexpected(ended.error());
      for (const CaseEnd& end : *ended)
        if (auto ok = take(end); !ok) return tl::unexpected(ok.error());
    }
  }

  Result<void> fill() {
    const auto is_alone = [this] { return running_.size() == 1 && running_.begin()->second.alone; };
    while (running_.size() < settings_.jobs && !is_alone()) {
      const auto started = start_next();
      if (!started) return tl::unexpected(started.error());
      if (*started == Started::none) return {};
    }
    return {};
  }

  /// First those that may run beside others; when all these have ended, the others one by one.
  Result<Started> start_next() {
    auto next = next_beside_others();
    if (!next) return tl::unexpected(next.error());
    if (!*next && running_.empty()) next = next_alone();
    if (!next) return tl::unexpected(next.error());
    if (!*next) return Started::none;
    auto order = order_of((*next)->planned.description);
    if (!order) return tl::unexpected(order.error());
    const CaseKey& key = (*next)->planned.key;
    auto attempt = tools_.store.begin(key);
    if (!attempt) return tl::unexpected(attempt.error());
    progress_.what = title_of(*order);
    const bool alone = must_be_alone(**next, *order);
    running_.insert_or_assign(key, Running{*attempt, *order, (*next)->planned.cost, alone});
    tell();
    if (auto ok = tools_.runner.start(key, *order); !ok) return tl::unexpected(ok.error());
    return Started::one;
  }

  Result<std::optional<CaseEntry>> next_beside_others() {
    CaseFilter filter = waiting();
    filter.after = after_;
    std::optional<CaseEntry> found;
    std::optional<Error> wrong;
    const auto seen = tools_.store.for_each(filter, [&](const CaseEntry& entry) {
      after_ = entry.place();
      const auto order = order_of(entry.planned.description);
      if (!order) wrong = order.error();
      if (order && must_be_alone(entry, *order)) {
        later_.push_back(entry.planned.key);
        return Looking::on;
      }
      if (order) found = entry;
      return Looking::enough;
    });
    if (!seen) return tl::unexpected(seen.error());
    if (wrong) return tl::unexpected(*wrong);
    return found;
  }

  Result<std::optional<CaseEntry>> next_alone() {
    if (later_.empty()) return std::nullopt;
    const CaseKey key = later_.front();
    later_.pop_front();
    return tools_.store.find(key);
  }

  Result<void> take(const CaseEnd& end) {
    const auto at = running_.find(end.key);
    if (at == running_.end()) return {};
    if (!end.exit_code && end.death.doubtful) return was_killed(at->first, at->second.attempt);
    auto outcome = tools_.outcome_of(at->second.order, end);
    if (!outcome) return tl::unexpected(outcome.error());
    if (auto ok = tools_.store.finish(at->second.attempt, *outcome); !ok) return ok;
    if (outcome->status == OutcomeStatus::fault) {
      ++new_faults_;
      ++progress_.faults;
      progress_.faulty = title_of(at->second.order);
    }
    ++progress_.done;
    forecast_.ended(at->second.cost, end.seconds);
    running_.erase(at);
    tell();
    return {};
  }

  /// Somebody else killed its process, or the system did for want of memory.
  Result<void> was_killed(CaseKey key, const AttemptId& attempt) {
    if (auto ok = tools_.store.lose(attempt); !ok) return ok;
    running_.erase(key);
    const auto entry = tools_.store.find(key);
    if (!entry) return tl::unexpected(entry.error());
    if (*entry && (*entry)->state == CaseState::waiting)
      later_.push_back(key);
    else
      ++progress_.done;
    return {};
  }

  void tell() {
    if (!tools_.tell) return;
    progress_.seconds_left = forecast_.seconds_left(settings_.jobs);
    tools_.tell(progress_);
    progress_.faulty.clear();
  }

  const RunSettings& settings_;
  const RunTools& tools_;
  RunProgress progress_;
  Forecast forecast_{0};
  std::map<CaseKey, Running> running_;
  std::optional<CasePlace> after_;  // of cases that may run beside others, those up to here have begun
  std::deque<CaseKey> later_;       // cases that begin alone
  std::int64_t new_faults_ = 0;     // cases of this run with a new fault
};

}  // namespace

Result<RunEnd> run_cases(const RunSettings& settings, const RunTools& tools) { return CaseLoop(settings, tools).run(); }

}  // namespace culprit
