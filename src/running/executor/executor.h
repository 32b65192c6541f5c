#pragma once
// The interface through which everything above asks for work: optimize and run (capture will join them), as plain jobs
// and outcomes. Work is submitted, and outcomes come back one by one in any order: so a variant can run while the next
// is being made. Implemented by `worker` with processes, and by tests with fakes that crash, lie, hang and flicker.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/hash.h"
#include "base/stop.h"
#include "model/interface_binding.h"
#include "model/model.h"
#include "optimizer/optimizer.h"
#include "process/failure.h"
#include "record/costs.h"
#include "record/model_facts.h"
#include "record/warning.h"
#include "runtime/session_options.h"
#include "tensor/pack_bundle.h"

namespace culprit {

using JobId = std::uint64_t;

/// Import a model once and make variants of it, each in a fork of its own.
struct OptimizeJob {
  std::filesystem::path model;
  std::string optimizer = "onnx_optimizer";
  std::vector<Recipe> recipes;
  std::vector<RewriteLimits> rewrites;  ///< by recipe; shorter: the others are not limited
  std::filesystem::path folder;  ///< variants are written here as <fingerprint>.onnx, each content once; "" keeps none
  Limits limits;
  std::size_t most_places = 0;                 ///< how many places the ScanOutcome may name; 0: none comes
  bool alone = false;                          ///< nothing else is under way meanwhile, and all the memory is its own
  bool infers_types = false;                   ///< the ImportOutcome also tells what shape inference says of the model
  std::filesystem::path runtime_library = {};  ///< for an optimizer that is one: who runs the job fills it in
  bool fresh_process = false;  ///< not in a worker that served such a job before, where `works_in_forks`
  /// The optimizer does all of its work in forks of the worker, or in programs: nothing of a model stays behind, and
  /// the worker may serve the next job of the same optimizer.
  bool works_in_forks = false;
  /// The words of a program that stays and answers one question after the other (CommandSpec::stays); else none.
  std::vector<std::string> staying_program = {};
  bool may_use_network = false;  ///< that program
};

/// Outcome of the import: comes before any VariantOutcome of the job. If it failed, no VariantOutcome follows.
struct ImportOutcome {
  JobId job = 0;
  Failure failure;
  Hash128 original;               ///< fingerprint of the model as given
  std::string checker_complaint;  ///< what the checker says of the model as given; ""
  double seconds = 0;             ///< of the import alone
  double seconds_total = 0;       ///< with reading, hashing and checking the model
  std::uint64_t peak_bytes = 0;   ///< resident, of the worker so far
  /// What the checker says with shape inference, where that was asked for; "", it agrees with all declared types.
  std::string types_complaint = {};
};

/// Says where the recipes' passes would do something, by their predicates. It comes once where places were asked for,
/// after an import that went well and before any VariantOutcome; empty where nothing is known.
struct ScanOutcome {
  JobId job = 0;
  std::vector<Place> places;
};

/// One recipe's outcome. Comes once for every recipe of an imported job, in any order.
struct VariantOutcome {
  JobId job = 0;
  std::size_t recipe = 0;  ///< index into OptimizeJob::recipes
  Failure failure;
  bool skipped_by_scan = false;  ///< its passes match no node: same as the round trip, `fingerprint` is not set
  Hash128 fingerprint;
  std::filesystem::path file;  ///< <folder>/<fingerprint>.onnx; "" where the job keeps none
  std::string checker_complaint;
  Interface interface;
  ModelFacts facts;  ///< sizes and counts of the variant; without a sha256
  std::map<std::string, std::int64_t> ops_changed;
  std::vector<Warning> warnings;
  std::vector<std::string> lost_types = {};  ///< that were put back (model/lost_types.h): "output 'y'"
  std::vector<std::string> touched = {};     ///< steps that say that they changed the model (OptimizerSession::touched)
  RewriteTrace rewrites;                     ///< of a limited recipe
  double seconds = 0;                        ///< of applying the recipe alone
  double seconds_total = 0;                  ///< with hashing, checking and writing the variant
  std::uint64_t peak_bytes = 0;              ///< resident, of its process
};

/// Rounding imitated: the float weights of a model and what its nodes compute moved by units in the last place, as
/// `perturb_weights` and `perturb_results` do, and what it quantizes by a small part of a step (`perturb_steps`). Of a
/// TFLite file the float constants and the float inputs of each sample are moved; of a graph of TensorFlow the inputs
/// alone.
struct Perturbation {
  std::uint64_t seed = 0;
  unsigned ulps = 1;
};

/// How long the steps of a run took, in seconds: the larger of CPU time and time that went by.
struct Pace {
  double load = 0;
  std::vector<double> samples;
};

/// Many samples that take little time each: a file for each would take more. Which of them ran is told every few
/// milliseconds only, and counted in the file when the worker dies.
struct BundledRuns {
  std::vector<PackPlace> samples;
  std::filesystem::path outputs;  ///< one file for all (tensor/pack_bundle.h)
};

/// Load a model and run samples through it. No samples: load only.
struct RunJob {
  std::filesystem::path model;
  std::optional<Perturbation> perturbation = {};  ///< of the model in the worker's memory, before it is loaded
  SessionOptions session;
  std::vector<std::filesystem::path> samples;  ///< packs of inputs, by the original's names
  std::vector<BoundInput> inputs;              ///< empty: feed every tensor of the pack by its own name
  RenamedOutputs outputs = {};                 ///< those that samples in steps feed back by the original's names
  std::filesystem::path folder;                ///< outputs are written here, <n>.pack; "" keeps none
  bool fresh_process = false;                  ///< not in a worker that ran anything before
  bool fills_memory = false;   ///< what nobody wrote holds a pattern: else it is mostly zero, every time
  bool keeps_session = false;  ///< for the next such job with the same model: one of many chunks
  Limits limits;               ///< the time is that of one step: of loading the model, or of one sample
  bool alone = false;          ///< nothing else is under way meanwhile, and all the memory is its own
  /// How long the original takes, where that is known. It tells what each step may take (executor/step_limits.h), and
  /// `limits` only the most, 0 for no such bound.
  std::optional<Pace> original_took = {};
  /// From when this is true on, what ran is enough: the outcome holds the samples that ran so far, never fewer than
  /// one, and its failure is `skipped`.
  Stop is_enough = {};
  std::optional<BundledRuns> bundled = {};  ///< in the place of `samples` and `folder`

  [[nodiscard]] std::size_t sample_count() const { return bundled ? bundled->samples.size() : samples.size(); }
};

struct RunOutcome {
  JobId job = 0;
  enum class Stage { start, load, run, done } stage = Stage::done;  ///< where it failed, or done
  Failure failure;
  std::vector<std::filesystem::path>
      outputs;                          ///< packs, one for every sample that ran, in order, also before a failure
  std::vector<PackPlace> bundled = {};  ///< the same, of a job that is bundled
  std::string runtime_version;
  std::string level;  ///< as the session was told
  double seconds_load = 0;
  double seconds_run = 0;
  std::uint64_t peak_bytes = 0;        ///< resident, of the worker so far
  Pace took;                           ///< of the steps that came to their end
  std::filesystem::path profile = {};  ///< of a job with `session.profile_to` that is done: the runtime's own profile
};

struct InterruptedOutcome {};  ///< the user asked to stop; nothing more will come

using Outcome = std::variant<ImportOutcome, ScanOutcome, VariantOutcome, RunOutcome, InterruptedOutcome>;

/// What ends in a way that the machine may have caused (killed by somebody else; over a limit of time or memory while
/// other work ran beside it, or with a part of the memory only) is done once more alone, with all the memory, and only
/// that outcome is given.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual JobId submit(OptimizeJob job) = 0;
  virtual JobId submit(RunJob job) = 0;
  /// Blocks until the next outcome; nullopt when nothing is under way.
  virtual std::optional<Outcome> next() = 0;
  [[nodiscard]] virtual Counts counts() const = 0;                ///< since it was made
  [[nodiscard]] virtual std::size_t places() const { return 1; }  ///< jobs that it does at once
};

}  // namespace culprit
