#pragma once
// What a report contains: plain structs, no way of writing them (that is `report`) and no way of making them (that is
// `check`). One field here is one field of report.json, schema culprit.report/1 (DESIGN section 4).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/decisions.h"
#include "record/enum_names.h"
#include "record/measurement.h"
#include "record/phases.h"
#include "record/witnesses.h"

namespace culprit {

struct Warning {
  std::string code;  ///< stable, lower_snake_case: "constants_became_inputs"
  std::string message;
  bool operator==(const Warning&) const = default;
};

struct ModelFacts {
  std::string path;
  std::string sha256;
  std::uint64_t bytes = 0;
  std::int64_t nodes = 0;  ///< subgraphs included
  std::int64_t initializers = 0;
  std::int64_t ir_version = 0;
  std::map<std::string, std::int64_t> opsets;  ///< by domain; "" is ai.onnx
  std::vector<std::string> inputs;             ///< "data: float32[1,3,224,224]", true inputs only (no initializers)
  std::vector<std::string> outputs;
};

/// What a made-up sample was directed at.
struct Direction {
  std::size_t sample = 0;
  std::string aim;  ///< "ties into 'logits' (eliminate_nop_monotone_argmax)"
  bool operator==(const Direction&) const = default;
};
/// "sample 2: ties into 'logits' (eliminate_nop_monotone_argmax)"
std::string text_of(const Direction& direction);

struct DataFacts {
  DataSource source = DataSource::none;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
  std::map<std::string, std::int64_t> dims;             ///< what symbolic dimensions were set to
  std::map<std::string, std::int64_t> other_dims = {};  ///< and in every second sample; empty where in all the same
  std::vector<std::string> choices = {};  ///< what was made up and why: "input_ids: 0..49999, rows of 'wte' (Gather)"
  std::int64_t directed = 0;              ///< of the samples, the last ones: directed at places where passes would fire
  std::vector<Direction> directions = {};
};

/// An output whose values say nothing about a variant.
struct WeakOutput {
  std::string output;
  std::string reason;  ///< "empty in all samples", "2.5 in all elements of all samples"
  /// No input has a part in it but by its shape, so nothing else could be fed: it was compared as it always is.
  bool is_constant = false;
  bool operator==(const WeakOutput&) const = default;
};

struct Baseline {
  BaselineStatus status = BaselineStatus::ok;
  std::string reference_level = "off";
  std::string message;                ///< for anything but ok: why, and what to do
  std::vector<WeakOutput> weak = {};  ///< also where other outputs say enough
};

/// What rounding alone can do to one output, of the samples that were drawn (docs/judging.md): of all scales in it the
/// one with the widest limit, abs = 4 x deviation + 8 eps x rms (of what is stepped 1.5 x).
struct NoiseFloor {
  double abs = 0;
  double rel = 0;              ///< abs / rms; 0 where rms is
  double deviation = 0;        ///< how far draws carry an element in the middle of the scale
  double rms = 0;              ///< of the scale's finite elements, without fillers
  double eps = 0;              ///< of the output's type; 0 for exact types
  double step = 0;             ///< always 0: a step of quantization is a jump, and is drawn for
  std::int64_t samples = 0;    ///< that were drawn
  std::int64_t scales = 0;     ///< in the sample that has the most
  std::int64_t draws = 0;      ///< that count, of the sample with the most
  std::int64_t discarded = 0;  ///< that failed or changed a shape, of the sample with the most
  std::int64_t ties = 0;       ///< names, and NaN and infinities, that flipped in some draw, over the samples
  bool stepped = false;        ///< numbers behind a jump (Round, a comparison): the deviation is that of all elements
};

/// What a verdict that rests on no measurement rests on.
struct Evidence {
  EvidenceStage stage = EvidenceStage::none;  ///< none: measurements tell all
  EvidenceEnding ending = EvidenceEnding::none;
};

/// A variant where users run it: at the runtime's own optimization level, against the original at that level.
struct Deployed {
  std::string level;         ///< "all"
  std::int64_t samples = 0;  ///< run
  Verdict verdict = Verdict::inconclusive;
  std::string message;
  std::string confirmed;  ///< "2/2"; "" where there was nothing to confirm
  Measurements measurements;
  Evidence evidence = {};
  std::optional<WorstSample> decision = {};  ///< as of a variant
};

struct ControlRecord {
  ControlName name = ControlName::repeat;
  Verdict verdict = Verdict::equivalent;
  std::string message;
  Measurements measurements;
};

struct VariantRecord {
  std::string id;  ///< "V07"
  std::string runtime;
  Recipe recipe;
  bool is_bundle = false;
  std::string made_as =
      {};  ///< of a part of what users run: "the safe recipe", "bundle without b"; "": no name; no field
  Contract contract = Contract::equivalent;
  Verdict verdict = Verdict::inconclusive;
  SameAs same_as = SameAs::none;  ///< what has the same fingerprint and was run in its place
  std::string same_variant = {};  ///< of SameAs::variant, its id
  std::string message;
  std::string fingerprint;  ///< 32 hex digits; "" where there is no variant
  std::string file;         ///< relative to the run directory; "" where nothing was kept
  std::int64_t nodes_before = 0;
  std::int64_t nodes = 0;
  std::map<std::string, std::int64_t> ops_changed;  ///< op type -> how many more (+) or fewer (-)
  Evidence evidence;
  Measurements measurements;
  /// Of a verdict that the measurements alone do not make: what is decided otherwise, on which sample that was judged.
  std::optional<WorstSample> decision = {};
  Measurements inner;  ///< by name of an inner value, where outputs are weak and inner values were compared
  std::optional<Deployed> deployed;                ///< absent where it was not run at the deploy level
  std::optional<VariantDecisions> decisions = {};  ///< absent where it did not run on a whole data set
  std::string confirmed;                           ///< "2/2"; "" where there was nothing to confirm
  std::vector<Warning> warnings;
  double seconds_optimize = 0;
  double seconds_run = 0;
  std::string last_words;  ///< end of stdout and stderr of the process that died
};

/// "original", "round_trip", the other variant's id; "" where it was run itself.
std::string same_as_text(const VariantRecord& variant);

/// A part of what a pass over the full graph did that breaks the model by itself.
struct RewritePiece {
  std::string what;       ///< "'minus' is replaced by 'plus'"
  std::string output;     ///< first output of the first node that it changes; "" where it changes none
  std::string confirmed;  ///< "2/2": times that the model failed with this piece alone
  std::vector<std::string> diff;
  std::int64_t diff_left_out = 0;
};

/// One application of one pass at one place that breaks the model, found by halving the visits of the recipe.
struct RewriteRecord {
  std::string pass;
  std::string output;   ///< the first output of the node that it was applied to; "" for a pass over the full graph
  std::string op_type;  ///< of that node
  std::int64_t number =
      0;                  ///< 1 is the recipe's first visit; those found before this one were left out and not counted
  std::int64_t of = 0;    ///< visits in all
  std::string confirmed;  ///< "2/2": times that number - 1 visits were right and `number` failed
  std::vector<std::string>
      diff;  ///< lines: "- y = Pad(x, pads)", "+ y = MaxPool(x) {...}", "~ W: float32[3], other values"
  std::int64_t diff_left_out = 0;  ///< lines beyond those
  std::int64_t pieces = 0;         ///< independent ones that a pass over the full graph falls into; 0: not looked for
  std::vector<RewritePiece> bad_pieces;
  std::string pieces_message;  ///< where they are not all, or none: why; else ""
};

/// What became of a fault when the model that shows it was made as small as it could be.
struct ReductionRecord {
  std::int64_t nodes_before = 0;  ///< 0: it was not reduced
  std::int64_t nodes = 0;
  std::int64_t checks = 0;  ///< smaller models that were tried
  double seconds = 0;
  std::string message = {};  ///< why it is not smaller, or was not reduced; else ""
};

/// A fault that somebody has recorded already (--known).
struct KnownAs {
  std::string id;    ///< "K-3"
  std::string note;  ///< of whoever recorded it; may be empty
  bool operator==(const KnownAs&) const = default;
};

/// One run that a fault of values was attributed by: who ran which model, and whether its outputs are the reference's.
struct AttributionCell {
  std::string model;           ///< "original", "variant"
  std::string runner;          ///< "onnxruntime", "onnx.reference"
  std::string version;         ///< of the runner
  std::string level;           ///< of the runner, "off"; "" where it has none
  std::string outcome;         ///< "agrees", "differs", "fails"
  double max_abs = 0;          ///< the largest distance from the reference's outputs; infinity for another shape
  std::string message;         ///< what differs or fails, or why it was not in float64; ""
  std::string precision = {};  ///< "float64" where all was computed in that; "" for the model's own types
  bool operator==(const AttributionCell&) const = default;
};

/// Where a variant with wrong values and the original part first: the first value, in the order of the original's
/// graph, whose error is more than its inputs explain (docs/comparing.md).
struct DivergenceRecord {
  std::string original, variant;                       ///< the value's name
  std::vector<NodeRef> nodes_original, nodes_variant;  ///< that make it from values known in both; its own maker first
  double error =
      0;  ///< the largest |variant - original| of it where the variant's nodes are given the original's values
  double floor = 0;       ///< what rounding explains of that
  std::string state;      ///< "made_here": by those nodes, not by what they are given
  double coverage = 0;    ///< percent of the original's values that were found in the variant
  std::int64_t runs = 0;  ///< that it took
  std::string message;    ///< one sentence
};

struct FaultRecord {
  std::string id;  ///< "F1"
  Verdict verdict = Verdict::diverged;
  std::vector<std::string> culprits;  ///< passes; the file that was given; the control's name
  FaultKind kind = FaultKind::single;
  std::optional<ControlName> control = {};  ///< of FaultKind::control: which one
  Attribution attribution = Attribution::optimizer;
  std::string signature;
  std::vector<std::string> variants;  ///< ids
  std::string message;                ///< one line a person understands
  std::string workaround;
  std::vector<std::string> to_disable = {};  ///< of a runtime's steps: what the workaround tells it to leave out
  std::vector<std::string> to_run = {};      ///< of a program's steps: what it is called with to be right
  std::vector<RewriteRecord> rewrites;       ///< that break the model, in the order in which they were found
  std::string rewrites_message;              ///< where they are not all, or none: why; else ""
  std::int64_t rewrites_asked = 0;           ///< limited recipes that were tried for it
  double rewrites_seconds = 0;               ///< wall-clock time of that search, pieces and lines included
  std::string repro = {};  ///< folder that shows it, relative to the run directory: "repro/F1"; "" where none was kept
  std::optional<ReductionRecord> reduced = {};  ///< absent where nobody asked for it
  std::string reduced_fingerprint = {};         ///< of the reduced model, 32 hex digits; "" where it was not reduced
  std::optional<KnownAs> known = {};            ///< absent for a new fault
  std::vector<AttributionCell> attribution_evidence = {};  ///< empty where no second opinion was asked for
  std::optional<DivergenceRecord> first_divergence = {};   ///< of a fault of values; absent where it was not found
  std::string first_divergence_message = {};               ///< why it is absent, where it was looked for; else ""
};

struct LeftOut {
  std::string pass;
  std::string reason;  ///< one line: what happens with it
};

/// The largest part of the bundle (or of --passes) that was verified to be right.
struct SafeRecipe {
  Recipe recipe;  ///< no passes at all: nothing of it is safe
  std::vector<LeftOut> left_out;
  bool verified = false;
  std::int64_t samples = 0;         ///< verified on
  std::vector<std::string> levels;  ///< verified at: "off", "all"
  std::string message;              ///< why there is none, or why it could not be verified; else ""
};

/// The largest resident size that a process of its kind had, in bytes; forks count what they share. 0: there was none
/// that lived to tell.
struct Memory {
  std::uint64_t parent = 0;
  std::uint64_t optimizer = 0;  ///< workers that import, and their forks
  std::uint64_t runner = 0;     ///< workers that hold a session
};

/// A variant that was given as a file, whoever made it (localize --variant).
struct GivenRecord {
  ModelFacts model;
  std::string fingerprint;        ///< 32 hex digits; "" where it could not be told
  std::optional<Recipe> made_by;  ///< makes this very model; no passes: import and export alone; absent where none does
  std::int64_t tried = 0;         ///< recipes that were asked whether they make it
  std::string message;            ///< why not all of them were; else ""
  std::vector<std::string> diff;  ///< of the graphs, around the first divergence where there is one, as of a rewrite
  std::int64_t diff_left_out = 0;  ///< lines elsewhere
  std::string not_reached = {};    ///< nodes whose limits differ, where no sample tells them apart; else ""
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

/// The optimizer under test.
struct OptimizerRecord {
  std::string name, version;
  std::vector<std::string> steps;  ///< of a runtime, for its versions have other ones; of others none
};

struct Environment {
  std::string onnx_optimizer, onnx, onnxruntime, provider = "CPU", cpu, os;
  std::int64_t threads = 1;
  std::int64_t cores = 1;
  OptimizerRecord optimizer = {};
};

struct Summary {
  std::int64_t models = 0, variants = 0, distinct_variants = 0, faults = 0;
  std::map<std::string, std::int64_t> by_verdict;
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
