#pragma once
// Which steps of an optimizer make a model slower, or faster? The same search as for faults (search/ddmin.h), on a
// predicate that is statistical: "with just these steps it is slower", and an answer that is not sure is no answer.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/stop.h"
#include "record/profile.h"

namespace culprit {

/// What was measured of some of the steps, against the baseline.
struct SpeedOfSteps {
  RatioRecord ratio;
  SpeedVerdict verdict = SpeedVerdict::ambiguous;
  /// Something known that comes with any of the optimizer's files, whatever the steps: "constants_became_inputs".
  std::string known_cause = {};
  double seconds = 0;   ///< that measuring it took; 0: it was known
  bool is_cut = false;  ///< the time was spent meanwhile, so that an unsure verdict says nothing
  std::map<std::string, std::int64_t> ops_changed = {};  ///< asked of no steps: as of BlameRecord
};

/// What is still to come of a search, at most, where one step does it.
struct BlameAhead {
  std::int64_t asked = 0;  ///< questions that have an answer
  std::int64_t questions = 0;
  double seconds = 0;  ///< about; 0: nobody can tell yet
};
/// Steps in their order; none: the optimizer's own way in and out. An Error ends the search.
using AskSpeed = std::function<Result<SpeedOfSteps>(const std::vector<std::string>& steps)>;

/// What differs from the baseline where none of the steps runs, and so what does it where it is so without any.
enum class WithoutSteps {
  written_file,         ///< the optimizer reads the baseline's model and writes it
  other_model,          ///< it is another model than the baseline's
  other_written_model,  ///< both
  session,              ///< the baseline's model in a session of the runtime: its level, version or provider
};

struct BlameSearch {
  std::string entry;                          ///< its name, for the record
  SpeedVerdict asked = SpeedVerdict::slower;  ///< or faster
  std::vector<std::string> steps;             ///< of the entry's recipe
  std::size_t most_questions = 300;
  Stop is_time_up = {};                                        ///< then what is found so far is told, and what is open
  double seconds_a_question = 0;                               ///< about, before one was asked; 0: nobody can tell
  std::function<void(const BlameAhead& ahead)> foretell = {};  ///< called before each question
  WithoutSteps without_steps = WithoutSteps::written_file;
};

/// A smallest set that does it alone; where the rest does it still without that set, a smallest set of the rest as
/// well, until what is left does not. `with` is of the sets together, `without` of all other steps. Where the time is
/// spent before, `open` has the steps of which nobody knows yet.
Result<BlameRecord> blame_steps(const BlameSearch& search, const AskSpeed& ask);

}  // namespace culprit
