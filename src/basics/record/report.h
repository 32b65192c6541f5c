#pragma once
// What a report of `culprit check` contains: plain structs, no way of writing them (that is `report`) and no way of
// making them (that is `check`). One field here is one field of report.json, schema culprit.report/1.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/costs.h"
#include "record/data_facts.h"
#include "record/enum_names.h"
#include "record/environment.h"
#include "record/fault_record.h"
#include "record/model_facts.h"
#include "record/noise_floor.h"
#include "record/phases.h"
#include "record/variant_record.h"
#include "record/warning.h"
#include "record/witnesses.h"

namespace culprit {

struct Baseline {
  BaselineStatus status = BaselineStatus::ok;
  std::string reference_level = "off";
  std::string message;                ///< for anything but ok: why, and what to do
  std::vector<WeakOutput> weak = {};  ///< also where other outputs say enough
};

struct ModelReport {
  ModelFacts model;
  DataFacts data;
  std::vector<Warning> warnings;
  Baseline baseline;
  std::vector<ControlRecord> controls;
  std::map<std::string, NoiseFloor> noise_floor;  ///< by output
  std::vector<VariantRecord> variants;
  std::vector<FaultRecord> faults;
  std::optional<SafeRecipe> safe_recipe;  ///< absent where none was looked for
  std::string error;                      ///< the model could not be read at all: why (everything else is then empty)
  double seconds = 0;
  std::vector<std::string> skipped = {};  ///< what was not done, because the time of --budget was spent
  Memory memory = {};
  Spent spent = {};
  std::string step_word = "pass";                 ///< what people call a step of the optimizer
  std::optional<GivenRecord> given = {};          ///< what `variants` is about, where a variant was given
  std::optional<WitnessesRecord> witnesses = {};  ///< absent where no second runtime or evaluator was asked
  std::vector<PhaseRecord> phases = {};           ///< what the check did, in its order; none of them twice
};

/// What stayed open, so that this report says nothing for the model though it may name no fault: "the bundle could not
/// be judged" (what users run is `inconclusive`, or is as a round trip that is), or "nothing that differs could be
/// judged" (something is `inconclusive`, whatever the reason, and nothing that differs from the model was judged: what
/// is unchanged is no evidence beside it); "the runtimes differ on the model itself" (and nobody said which one to
/// trust). "" where enough was judged.
std::string open_question(const ModelReport& report);

/// Could the model and all that matters of it be judged?
bool is_judged(const ModelReport& report);

/// What a check says of a model in one word.
enum class ModelOutcome {
  ok,
  fault,       ///< one that is not known
  known,       ///< faults, and all are known
  not_judged,  ///< and no fault was found
};
std::string_view name_of(ModelOutcome outcome);
ModelOutcome outcome_of(const ModelReport& report);

struct Summary {
  std::int64_t models = 0, variants = 0, distinct_variants = 0, faults = 0;
  std::map<Verdict, std::int64_t> by_verdict;
  Counts counts;
  double seconds = 0;
  std::int64_t not_judged = 0;    ///< models of `models` that could not be read or judged
  std::int64_t not_reached = 0;   ///< models that were asked for and are not among `models`: the run was interrupted
  Spent spent = {};               ///< over all models
  std::int64_t known_faults = 0;  ///< recorded already, and not among `faults`
};

struct Report {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  std::vector<ModelReport> models;
  Summary summary;
};

}  // namespace culprit
