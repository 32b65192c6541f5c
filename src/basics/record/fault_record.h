#pragma once
// What a report says of one fault: what is wrong, who did it, and what shows it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/enum_names.h"
#include "record/witnesses.h"

namespace culprit {

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

/// Tells where a variant with wrong values and the original part first: the first value, in the order of the original's
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

}  // namespace culprit
