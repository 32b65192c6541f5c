#pragma once
// `culprit profile`: models as optimizers and levels of the runtime make them, side by side: their graphs, their speed,
// their memory, the time of each node. What is measured in one run never disturbs what is measured in another: speed,
// memory and the runtime's own profile come from different processes.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "evaluate/evaluate.h"
#include "executor/dispatcher.h"
#include "executor/measuring.h"
#include "model/model.h"
#include "optimizer/traits.h"
#include "profile/speed/measure_speed.h"
#include "record/profile.h"

namespace culprit {

/// A model of the user, and samples that it was seen to run on.
struct GivenModel {
  const Model& model;
  std::vector<std::filesystem::path> samples;  ///< packs; none where it runs on nothing that it was fed
  std::string failure = {};                    ///< then why
  std::optional<std::int64_t> batch = {};      ///< samples that one pack holds (data/batch_size.h)
};

/// One row of the report: a given model, what an optimizer makes of it first, and the session that it runs in.
struct ProfiledRow {
  std::string name;                    ///< short and unlike all others
  std::size_t model = 0;               ///< index of the given ones
  std::optional<Recipe> recipe = {};   ///< of an optimizer that writes a file; absent: the file as it was given
  SessionOptions session = {};         ///< its level, and the steps that it leaves out
  std::filesystem::path library = {};  ///< of the runtime; "": the default one
};

enum class Protocol { blocks, otx };

/// By model, by batch: packs that hold so many samples each.
using StackedPacks = std::vector<std::map<std::int64_t, std::vector<std::filesystem::path>>>;

/// --sweep; nothing is swept where the settings are empty.
struct SweepPlan {
  SweepSettings settings;
  StackedPacks packs = {};  ///< of all batches (sweep/stack_packs.h)
};

struct ProfileOptions {
  std::optional<std::size_t> baseline = {};  ///< index of the row that all are held against; absent: baselines.h
  Protocol protocol = Protocol::blocks;
  SpeedOptions speed;  ///< `is_time_up` and `progress` are not used
  /// Seconds of the whole command; 0: no end. What does not fit in is left out, and said (cautions.h); what comes
  /// before anything is measured (making rows, their graphs, decisions) is never left out.
  double budget = 0;
  double spent = 0;  ///< of it, before
  Limits limits;     ///< of making, of loading, and of each run
  bool memory = true, nodes = true, devices = true;
  bool kernels = false;  ///< of rows that run on NVIDIA's GPU, by ncu: it takes long
  /// Which steps make the rows slower that are (blame/blame_row.h), or where none is, the fastest row faster.
  bool blame = false;
  double blame_seconds = 300;  ///< for each row, beside the budget; 0: it is a part of the budget
  /// On which data, and by which task, the rows decide; its rows are filled in. Absent: nobody asked.
  std::optional<EvaluateOptions> quality = {};
  SweepPlan sweep = {};
};

/// The executor of this library of the runtime; "": of the default one.
using ExecutorOf = std::function<Result<Executor*>(const std::filesystem::path& library)>;

/// A new executor of this library, which goes when the decisions of its rows are known: what it holds then disturbs
/// nothing that is timed.
using MakeExecutor = std::function<Result<std::unique_ptr<Executor>>(const std::filesystem::path& library)>;

/// Whose steps made this row: of its recipe, or of the runtime at its level.
using OptimizerOf = std::function<Result<OptimizerTraits>(const ProfiledRow& row)>;

/// The words of a program that runs this once, and needs nobody: what it is to do is written to `file`.
using CommandOfRun =
    std::function<Result<std::vector<std::string>>(const MeasuredModel& model, const std::filesystem::path& file)>;

/// Measures what the CPUs can do at most with so many threads, in a process of its own.
using LimitsOf = std::function<Result<MachineLimits>(std::int64_t threads)>;

struct ProfileTools {
  ExecutorOf executor;
  MeasuringBlocks& blocks;
  std::filesystem::path folder;  ///< exists; all in it may go afterwards
  std::function<void(const std::string& what)> say = {};
  Stop is_interrupted = {};
  std::filesystem::path trace = {};  ///< where one run of each row is drawn for Perfetto; "": nowhere
  OptimizerOf optimizer = {};        ///< for blame
  MakeExecutor deciding = {};        ///< for quality
  CommandOfRun command_of_run = {};  ///< for kernels
  LimitsOf limits = {};              ///< beside nodes on the CPU; none: nobody asks
};

/// Entries in the order of the rows, with what could be measured until the user stopped it. A row that
/// fails is an entry that says so. Errors: the machine's (io); the baseline fails (bad_input); a task of
/// `quality` that does not fit, or data that are not there (usage, unsupported).
Result<ProfileReport> profile(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                              const ProfileOptions& options, const ProfileTools& tools);

}  // namespace culprit
