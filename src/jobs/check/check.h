#pragma once
// The main job: does optimizing break this model, and which pass does it? Baseline, controls, plan of variants, sharing
// by fingerprint, verdicts, faults. Pure but for the packs it writes and reads: all work is asked of an Executor.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "base/stop.h"
#include "data/sample.h"
#include "executor/executor.h"
#include "executor/phase_clock.h"
#include "judge/judge.h"
#include "model/model.h"
#include "optimizer/optimizer.h"
#include "record/comparison.h"
#include "record/fail_on.h"
#include "record/report.h"
#include "trial/check_options.h"
#include "trial/fault_case.h"
#include "trial/witness.h"

namespace culprit {

struct DecisionData;  // check/decisions/decision_data.h
struct Reference;     // trial/reference.h
/// Compares a variant that seems right with the model from inside; nothing where that cannot be done. Errors:
/// interrupted.
using LookInside = std::function<Result<std::optional<CompareReport>>(
    const Reference& reference, const std::filesystem::path& variant, bool in_fresh_processes)>;

struct CheckTools {
  Executor& executor;
  const OptimizerTraits& optimizer;  ///< under test
  std::filesystem::path folder;      ///< for this model. Exists. Variants stay in it, samples and outputs do not
  Progress progress;                 ///< of variants
  /// Is the time spent that was given? From then on only what is needed to confirm what was found is done. Empty:
  /// never.
  Stop is_time_up = {};
  /// Did the user ask to stop? Looked at while samples are made and read; executors look for themselves. Empty: never.
  Stop is_interrupted = {};
  /// Asked for every fault that a recipe shows, in their order. What cannot be kept is a warning of the report. Empty:
  /// nothing is kept.
  KeepFault keep_fault = {};
  /// Asked for each variant that seems right (localize --variant). Empty: nothing is looked into.
  LookInside look_inside = {};
  /// The whole data set; outlives the check. Null: nothing but the samples of the proposals counts.
  const DecisionData* data_set = nullptr;
  /// Asked about the original, always; of faults `keep_fault` asks. Empty: nobody is.
  std::vector<Witness> witnesses = {};
  /// `executor` itself, where the report is to tell what each phase took; else null.
  PhaseClock* clock = nullptr;
};

/// The report on one model. An Error only where nothing can be said: usage (an unknown pass, with the closest name),
/// interrupted, io. A model that cannot be judged is no Error but a baseline status (exit 3).
Result<ModelReport> check_model(const Model& model, const std::vector<Proposal>& proposals, const CheckOptions& options,
                                const CheckTools& tools);

/// Puts the model that the safe recipe makes to where its users will find it, and returns the file as it lies there; ""
/// to hand over nothing. `variant` is the file to copy, "" where the recipe changes nothing.
using Deliver =
    std::function<Result<std::filesystem::path>(const ModelReport& report, const std::filesystem::path& variant)>;

/// What was delivered, and whether it is right.
struct Delivery {
  ModelReport report;
  bool is_delivered = false;        ///< there was a verified safe recipe, and `Deliver` returned a file
  bool verified = false;            ///< that file was run on all samples, and found right
  std::string message;              ///< why it is not verified; else ""
  std::int64_t samples = 0;         ///< it was verified on
  std::vector<std::string> levels;  ///< and at
  /// Of a file that a session of the runtime saved: what the runtime does to it when it loads it with its optimizations
  /// on again; "" where it stays right.
  std::string when_optimized_again = {};
  /// Samples of the data set on which what would have been safe decides otherwise: it is not delivered for that.
  /// Whoever checks again with these (DecisionData::telling) gets what is safe on them, too.
  std::vector<std::int64_t> against_safe = {};
};

/// check_model, and then `deliver` for the safe recipe where there is one. The file that it returns is run again on the
/// same samples, in a fresh process, and judged as every variant is: what counts is what lies on the disk. Errors of
/// `deliver` are passed on.
Result<Delivery> check_and_deliver(const Model& model, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools, const Deliver& deliver);

/// The variant to deliver, by its place in `ModelReport::variants`; absent: none. It was made for the plan, by a recipe
/// whose variants are files.
using ChooseVariant = std::function<std::optional<std::size_t>(const ModelReport& report)>;

/// As check_and_deliver, for a variant that the caller chooses in place of the one of the safe recipe. It is verified
/// in the same way.
Result<Delivery> check_and_deliver_chosen(const Model& model, const std::vector<Proposal>& proposals,
                                          const CheckOptions& options, const CheckTools& tools,
                                          const ChooseVariant& choose, const Deliver& deliver);

/// 0, 1 or 3 for one model's report: faults that are not known are 1, whatever the baseline; else a
/// model that could not be judged is 3, also where the import failed once and then did not, and where `open_question`
/// (record/report.h) says that what users run, or all that differs, stayed open. `fail_on` makes more of it 1.
int exit_code_of(const ModelReport& report, bool strict, FailOn fail_on = FailOn::fault);
/// Of several, the first of 130, 4, 1, 3, 2, 0.
int worst_exit_code(const std::vector<int>& codes);
/// Totals over the models. A distinct variant is one that was made and shares its fingerprint with none before it.
Summary summarize(const std::vector<ModelReport>& models, const Counts& counts, double seconds, bool strict);

}  // namespace culprit
