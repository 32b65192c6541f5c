#pragma once
// A repro once more: is the fault still there? The recipe is applied again and what it makes run again, each time in
// processes of its own, and judged as a check judges it, with draws of its own. Pure but for the
// packs it writes and reads: all work is asked of an Executor.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "executor/executor.h"
#include "repro/repro_folder.h"

namespace culprit {

enum class ReplayState {
  there,    ///< the same failure in some try: the same signature
  another,  ///< it fails, but in another way
  gone,     ///< what the recipe makes is right, in every try
  unknown,  ///< nothing can be said: the model itself does not run, or the machine failed
};
std::string_view name_of(ReplayState state);  ///< "still_there", "another_failure", "gone", "cannot_judge"

struct Replay {
  ReplayState state = ReplayState::unknown;
  int shown = 0;                            ///< tries that showed the failure of `state`; of `gone`: that were right
  int tries = 0;                            ///< that told anything at all
  Verdict verdict = Verdict::inconclusive;  ///< of the last try that tells of `state`
  std::string signature;                    ///< the same; "" where nothing fails
  std::string message;                      ///< one line: what happens now, or why nothing can be said
  std::string runtime;                      ///< its version; "" where nothing ran
};

struct ReplayTools {
  Executor& executor;
  std::filesystem::path folder;      ///< for samples, variants and outputs; exists, and may go afterwards
  CommandSpecPtr program = nullptr;  ///< of a recipe that is a program's
};

/// `tries`: 1 or more, each from the import on. A fault that shows in some tries only is still there. ErrorKind::io
/// where the folder cannot be written, bad_input where test_data_set_0 does not fit the model, interrupted.
Result<Replay> replay(const Bundle& bundle, int tries, const Limits& limits, const ReplayTools& tools);

}  // namespace culprit
