#pragma once
// Where one request is worked on: processes, libraries, the folder of the run, the clock. Made once for each request;
// several may be open side by side, each in a thread of its own.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/caller.h"
#include "app/run_folder.h"
#include "app/workshop_order.h"
#include "executor/executor.h"
#include "optimizer/traits.h"
#include "record/environment.h"
#include "repro/onnx_evaluator.h"

namespace culprit {

struct Workshop {
  const Caller& caller;
  int jobs = 0;            ///< as asked
  SessionOptions session;  ///< with whole paths of custom operators
  Limits limits;           ///< with the memory that there is, where none was given
  Level deploy_level = Level::all;
  OptimizerTraits optimizer;  ///< of a program whose steps depend on the model: of the model under way
  CommandSpecPtr program;     ///< as it was found, before any model; null where the optimizer is none
  std::filesystem::path runtime_library;
  RunFolder folder;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Executor> second;      ///< with the second runtime; null where none was named
  std::unique_ptr<Evaluator> evaluator;  ///< null where no Python was named

  /// Looks at the files that the order names, makes the run folder and the workers. The caller outlives it. Errors:
  /// usage; those of finding runtimes, optimizers and Python; io.
  static Result<Workshop> open(const Caller& caller, const WorkshopOrder& order);

  /// Progress goes to the listener, with `prefix` before what is going on.
  [[nodiscard]] Progress progress(const std::string& prefix = "") const;
  /// Is the time spent that was given? Empty where `seconds` is 0.
  [[nodiscard]] Stop time_up_after(double seconds) const;
};

/// A program whose steps depend on the model is asked for this one's. Errors: ask_command's.
Result<void> list_steps_for(Workshop& workshop, const std::filesystem::path& model);

/// How models are run and judged here, with the default plan.
CheckOptions options_in(const Workshop& workshop, const RunningRequest& running, const JudgingRequest& judging = {});

/// These options, with the plan that the request has for its optimizer.
CheckOptions options_in(const Workshop& workshop, const RunningRequest& running, const JudgingRequest& judging,
                        const OptimizerRequest& plan);

/// Versions, machine, optimizer. `runtime`: the version that ran, "" where nothing did; then the library's name tells.
Environment environment_of(const Workshop& workshop, const std::string& runtime = "");

}  // namespace culprit
