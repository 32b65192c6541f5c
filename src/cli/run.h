#pragma once
// One run of the tool over its models: what `check` and `optimize` have in common.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "check/decisions/decision_data.h"
#include "cli/model_flags.h"
#include "cli/run_folder.h"
#include "cli/terminal.h"
#include "data/data_set.h"
#include "report/console.h"
#include "repro/onnx_evaluator.h"

namespace culprit {

/// All that a run needs, made once.
struct Run {
  const CheckArguments& arguments;
  Terminal& terminal;
  CheckOptions options;
  OptimizerTraits optimizer;  ///< of a program whose steps depend on the model: of the model under way
  CommandSpecPtr program;     ///< as it was found, before any model; null where the optimizer is none
  std::filesystem::path runtime_library;
  RunFolder folder;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Executor> second;      ///< with the second runtime; null where none was named
  std::unique_ptr<Evaluator> evaluator;  ///< null where no Python was named
  Stopwatch watch;                       ///< since the command began
};

/// What --quiet and --verbose say of the log and the progress; from here on Ctrl-C asks the run to end.
void prepare_process(const CheckArguments& arguments, Terminal& terminal);

/// Looks at the files that the arguments name, makes the run folder and the workers. `watch`: since the command began.
Result<Run> set_up(const CheckArguments& arguments, Terminal& terminal, Stopwatch watch = {});

/// A program whose steps depend on the model is asked for this one's. Errors: ask_command's.
Result<void> list_steps_for(Run& run, const std::filesystem::path& model);

/// What is done with a model that could be read and with what to feed it.
using CheckWith =
    std::function<Result<ModelReport>(const Model&, const std::vector<Proposal>&, const CheckTools& tools)>;

/// The report on one model of the arguments, with its faulty variants kept. `held_against`: the variant that was given,
/// or nullptr. A model that cannot be read is no Error, but a report that says so; an Error ends the run.
Result<ModelReport> check_one(Run& run, std::size_t index, const Model* held_against, const CheckWith& check_with);

/// What is decided on all of the data, by --task, culprit.yaml beside the model, or what fits; nothing where --data
/// names none. It views `opened`. Errors: what is wrong with culprit.yaml.
Result<std::optional<DecisionData>> whole_data_of(const CheckData& opened, const Model& model, const Run& run);

/// Ends the run folder with this report, or leaves it as an earlier run left it, and says so, where no model could be
/// begun with: then what it holds is worth more.
Result<void> finish(Run& run, const Report& report, const std::string& json);

/// Ends the run folder with this report, and prints it as --format says, into --output where that is given.
Result<void> finish_and_print(Run& run, const std::string& json, const std::string& text);

Report report_of(const Run& run, std::vector<ModelReport> models);
ConsoleStyle style_of(const Run& run);
/// What to say where the user stopped the run.
Error nothing_kept();

}  // namespace culprit
