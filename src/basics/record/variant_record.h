#pragma once
// What a report says of one variant of a model, and of the recipes that are made of variants.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "record/decisions.h"
#include "record/enum_names.h"
#include "record/evidence.h"
#include "record/measurement.h"
#include "record/model_facts.h"
#include "record/warning.h"

namespace culprit {

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
      {};  ///< of a part of what users run: "the safe list", "bundle without b"; "": no name; no field
  Contract contract = Contract::equivalent;
  Verdict verdict = Verdict::inconclusive;
  SameAs same_as = SameAs::none;  ///< what has the same fingerprint and was run in its place
  std::string same_variant = {};  ///< of SameAs::variant, its id
  std::string message;
  std::string fingerprint;       ///< 32 hex digits; "" where there is no variant
  std::string output_bits = {};  ///< a hash of its outputs at the reference's level, where orders are tried; no field
  std::string file;              ///< relative to the run directory; "" where nothing was kept
  std::int64_t nodes_before = 0;
  std::int64_t nodes = 0;
  std::map<std::string, std::int64_t> ops_changed;  ///< op type -> how many more (+) or fewer (-)
  Evidence evidence;
  Measurements measurements;
  /// What is decided otherwise, on which sample that was judged, where the measurements alone do not make the verdict.
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

/// "fuse_bn_into_conv, nop": what a safe recipe does without.
std::string names_of(const std::vector<LeftOut>& left_out);

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

}  // namespace culprit
