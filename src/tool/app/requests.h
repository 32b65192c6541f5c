#pragma once
// What can be asked of the tool, as plain structs without a command line: each request is composed of the groups that
// really apply to it. Messages call a value by the flag that people type for it, such as --data.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/check.h"
#include "data/sample.h"
#include "optimizer/command/program_options.h"
#include "profile/profile.h"
#include "task/task_settings.h"

namespace culprit {

/// What models are fed, and what is read off their outputs.
struct DataRequest {
  DataOptions samples;
  std::filesystem::path labels;  ///< what is right of them; "": nobody says
  std::string task;              ///< "": what fits
};

/// In what models run.
struct RunningRequest {
  std::string runtime;     ///< path or version of ONNX Runtime; "": the default one
  int jobs = 0;            ///< processes at once; 0: as many as cores
  double budget = 0;       ///< seconds from the start; 0: no end
  SessionOptions session;  ///< threads, custom operators, trust; its level is set by whoever runs
  Limits limits;           ///< `memory_bytes` 0: what the machine has
  /// `limits.cpu_seconds` was given, and is not the default.
  bool time_is_given = false;
  Level deploy_level = Level::all;  ///< as users run models; off: nowhere
};

/// Who else is asked about a model.
struct WitnessRequest {
  std::string second_runtime;   ///< path or version; "": none
  std::string python;           ///< a Python with ONNX's reference evaluator; "": none
  bool trusts_runtime = false;  ///< that these differ on the model itself is only a warning
};

/// When is it a fault?
struct JudgingRequest {
  Tolerance tolerance;
  bool strict = false;
  int confirmations = 2;  ///< fresh processes that must show a failure again
};

/// Whose steps are tried, and which.
struct OptimizerRequest {
  std::string name = "onnx_optimizer";  ///< or onnxruntime, a program that is known, or a file that describes one
  GivenOptions options;                 ///< of a program
  std::vector<std::string> recipe;      ///< these steps, in this order; empty: the default plan
  std::vector<std::string> each;        ///< these, each alone
  bool all_passes = false;              ///< also those outside the bundle, each alone
  bool only_bundle = false;             ///< what users run, and nothing else
  Repeat repeat = Repeat::once;
};

/// What a run leaves in its folder.
struct FolderRequest {
  std::filesystem::path run_dir;  ///< "": a new folder under .culprit
  bool keep_variants = false;     ///< all that were made, not only faulty ones
  bool keep_repros = true;        ///< of every fault, a folder that shows it
};

/// What a report quotes.
struct QuotedWords {
  std::vector<std::string> command;          ///< who asked, word by word
  std::vector<std::string> repeat_flags;     ///< what must be typed again to see the same: --data, --dim, --strict, ...
  std::vector<std::string> optimizer_flags;  ///< and to have the same optimizer: --optimizer, --option
};

/// Does optimizing break these models, and which step does it? With a variant: what in it breaks the only model?
struct CheckRequest {
  std::vector<std::filesystem::path> models;
  std::filesystem::path variant;  ///< a file that should mean the same, made by anything; "": none
  std::filesystem::path known;    ///< list of known faults; "": none
  DataRequest data;
  RunningRequest running;
  WitnessRequest witnesses;
  JudgingRequest judging;
  OptimizerRequest optimizer;
  FolderRequest folder;
  QuotedWords quoted;
  bool localize = true;  ///< look deeper at faults: rewrites, opinions, the first wrong value, the smallest model
  bool directed = true;  ///< made-up samples may be directed at the places where passes would fire
};

/// Optimize the only model of `check` by what is verified not to break it.
struct OptimizeRequest {
  CheckRequest check;
  std::filesystem::path out;
  bool require_all = false;                   ///< nothing is written if any pass has to be left out
  std::vector<std::string> accept_weak = {};  ///< outputs that may say nothing
};

/// Does the order of an optimizer's steps matter for the only model of `check`? Its optimizer's `recipe` names the
/// steps in the first order; empty: those of the bundle. The seed is that of its samples.
struct OrdersRequest {
  CheckRequest check;
  std::size_t count = 0;                      ///< orders in all; 0: the default (orders/make_orders.h)
  std::filesystem::path out = {};             ///< where the model of the best order goes; "": nowhere
  std::vector<std::string> accept_weak = {};  ///< outputs that may say nothing
};

/// What holding one model against another has in common.
struct TwoModelsRequest {
  std::filesystem::path a, b;
  std::vector<std::string> map;  ///< "A=B": names of inputs and outputs that stand for each other
  DataRequest data;
  RunningRequest running;
  JudgingRequest judging;
  FolderRequest folder;
  QuotedWords quoted;
};

/// Do two models mean the same, and where do they part first?
struct CompareRequest : TwoModelsRequest {};

/// Which layer, which tensor, which number did a conversion get wrong? `a` is the source, `b` the target.
struct DiagnoseRequest : TwoModelsRequest {
  std::vector<std::filesystem::path> intermediates = {};  ///< files between the two, in the order of the conversion
  std::filesystem::path target_data = {};                 ///< what the target is fed; "": what the source is fed
};

/// The target, mended.
struct RepairRequest : DiagnoseRequest {
  std::filesystem::path out;           ///< where the mended target goes
  std::filesystem::path feeding = {};  ///< where it is written how to feed the target; "": nowhere
};

/// What do these models decide on a data set, how good is it, and do they agree?
struct EvaluateRequest {
  std::vector<std::filesystem::path> models;  ///< the others are held against the first
  DataRequest data;
  RunningRequest running;
  FolderRequest folder;
  QuotedWords quoted;
  std::filesystem::path comparator = {};  ///< a path from the root, or a name on PATH; "": none
  std::int64_t samples = 0;               ///< 0: all, or 3 made-up ones
  bool shuffle = false;
  std::pair<double, double> sure_of = {0, 0};  ///< stop when it is sure that so many agree, or so many less
  std::filesystem::path draw = {};             ///< folder for pictures with boxes; "": none
  std::filesystem::path pairs = {};            ///< file of samples that show the same, or not; "": none
  TaskSettings settings = {};
};

/// Which of these is faster, why, and what does it cost?
struct ProfileRequest {
  std::vector<std::filesystem::path> models;
  DataRequest data;
  RunningRequest running;  ///< `runtime` is not used
  JudgingRequest judging;
  std::optional<OptimizerRequest> optimizer = {};  ///< absent: models as they are given
  FolderRequest folder;
  QuotedWords quoted;
  std::vector<Level> levels = {};           ///< empty: what fits
  std::vector<std::string> runtimes = {};   ///< empty: the default one
  std::vector<std::string> providers = {};  ///< names in any case; empty: the CPU
  std::string against = {};                 ///< name of the row that the others are held against; "": the first
  std::int64_t blocks = 20;
  bool until_sure = false;
  Protocol protocol = Protocol::blocks;
  bool blame = false;
  bool has_budget = false;  ///< `running.budget` was given, and is not the default of until_sure
  bool kernels = false;
  SweepSettings sweep = {};
  TaskSettings settings = {};
};

/// Make a model that shows a fault as small as it can be.
struct ReduceRequest {
  std::filesystem::path model;
  std::filesystem::path out;
  std::string command;  ///< that says by its exit code whether the fault is there; "": the recipe's fault
  std::vector<std::string> deltas = {};  ///< names of the steps that are tried; empty: all
  DataRequest data;
  RunningRequest running;  ///< its budget is that of the search
  WitnessRequest witnesses;
  JudgingRequest judging;
  OptimizerRequest optimizer;
  FolderRequest folder;
  bool directed = true;
};

/// Are these kept faults still there?
struct ReplayRequest {
  std::vector<std::filesystem::path> repros;
  std::string runtime;    ///< path or version; "": the default one
  std::string optimizer;  ///< a program, or a file that describes one; "": the known one that the repro names
  int tries = 3;
  int jobs = 0;            ///< 0: as many as cores
  double cpu_seconds = 0;  ///< 0: as the repro says
};

}  // namespace culprit
