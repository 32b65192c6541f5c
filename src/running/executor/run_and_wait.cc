#include "executor/run_and_wait.h"

namespace culprit {

Result<RunOutcome> run_and_wait(Dispatcher& dispatcher, RunJob job) {
  RunOutcome ran;
  dispatcher.run(std::move(job), [&](const RunOutcome& outcome) { ran = outcome; });
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  return ran;
}

}  // namespace culprit
