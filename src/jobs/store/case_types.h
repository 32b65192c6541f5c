#pragma once
// What the store keeps of a case, and what it says of it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "store/case_key.h"

namespace culprit {

/// Texts from outside are bounded, in bytes. What is larger is refused and never cut.
constexpr std::size_t largest_case_description = std::size_t{1} << 20;
constexpr std::size_t largest_case_report = std::size_t{64} << 20;

struct PlannedCase {
  CaseKey key;
  std::string description;  ///< JSON: all that is needed to run it; kept as text
  double cost = 0;          ///< seconds that it is expected to take: the longest is first; finite, not negative
};

/// Worked out from what is kept, and kept nowhere.
enum class CaseState {
  waiting,    ///< to be run
  running,    ///< begun by the process that has the store open for writing
  finished,   ///< it has an outcome
  set_aside,  ///< begun so often without an end that it is not tried again; its status is `inconclusive`
};
std::string_view name_of(CaseState state);

/// How a case ended. The order is that of their weight: of two outcomes of one case the one named first here stands.
enum class OutcomeStatus {
  fault,         ///< a fault that is not known
  known,         ///< faults, and all are known
  ok,            ///< nothing wrong
  inconclusive,  ///< nobody could judge it
  failed,        ///< the job itself did not work; the report says why
};
std::string_view name_of(OutcomeStatus status);
std::optional<OutcomeStatus> outcome_status_named(std::string_view name);

struct CaseOutcome {
  OutcomeStatus status = OutcomeStatus::inconclusive;
  double seconds = 0;  ///< that the case took
  std::string report;  ///< JSON, kept as text
};

/// One try to run a case. The number is random, so that those of two machines are never the same.
struct AttemptId {
  Hash128 number;
  bool operator==(const AttemptId&) const = default;
};

/// Where a case stands among all: those of greater cost come first, of equal cost those of smaller key.
struct CasePlace {
  double cost = 0;
  CaseKey key;
};

/// A case without its report.
struct CaseEntry {
  PlannedCase planned;
  CaseState state = CaseState::waiting;
  std::optional<OutcomeStatus> status = {};  ///< of a finished case, or of one that was set aside
  double seconds = 0;                        ///< of a finished case
  std::int64_t finished_ms = 0;              ///< of a finished case: milliseconds since 1970, UTC
  int lost_attempts = 0;                     ///< begun, and their process died
  [[nodiscard]] CasePlace place() const { return {planned.cost, planned.key}; }
};

/// Which cases are asked for: those that all of these let pass.
struct CaseFilter {
  std::set<CaseState> states = {};        ///< empty: all
  std::set<OutcomeStatus> statuses = {};  ///< empty: all; else finished and set-aside ones alone
  std::optional<Shard> shard = {};
  std::optional<CasePlace> after = {};  ///< only those that come after this place
};

/// Does whoever looks at cases want the next one?
enum class Looking { on, enough };
using CaseVisit = std::function<Looking(const CaseEntry&)>;

struct CaseCounts {
  std::int64_t planned = 0;                         ///< all cases
  std::map<CaseState, std::int64_t> by_state = {};  ///< without states that no case has
  std::map<OutcomeStatus, std::int64_t> by_status = {};
  double seconds_left = 0;  ///< the sum of the costs of those that wait or run
  [[nodiscard]] std::int64_t in(CaseState state) const { return by_state.count(state) != 0 ? by_state.at(state) : 0; }
};

/// What another store brought.
struct MergeAnswer {
  std::int64_t new_cases = 0;
  std::int64_t new_outcomes = 0;    ///< of cases that had none here
  std::int64_t taken_instead = 0;   ///< outcomes that took the place of one that was here
  std::int64_t contradictions = 0;  ///< cases that both have finished, with different statuses
  std::int64_t missing = 0;         ///< planned cases that no store so far has finished; a filter by state names them
};

}  // namespace culprit
