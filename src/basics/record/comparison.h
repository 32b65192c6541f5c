#pragma once
// What the comparison of two models says: plain structs, one field here is one field of its JSON, schema
// culprit.compare/1 (docs/compare.schema.json). A is what B is held against.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/data_facts.h"
#include "record/decisions.h"
#include "record/enum_names.h"
#include "record/environment.h"
#include "record/measurement.h"
#include "record/model_facts.h"
#include "record/warning.h"
#include "record/witnesses.h"

namespace culprit {

/// Why a value of A stands for one of B.
enum class MappedBy { binding, computation, name, position };
std::string_view name_of(MappedBy by);

/// What became of a value of A in B.
enum class ValueState {
  equal,      ///< it differs by no more than rounding explains
  made_here,  ///< it differs, and B's nodes make it so even from A's values
  inherited,  ///< it differs, but not where B's nodes are given A's values
  unclear,    ///< it differs, and B's nodes could not be run by themselves
  unlike,     ///< it differs and nothing that is made of it does: what was held against each other means something else
  not_read,   ///< mapped, but no run could bring it out
  fused,      ///< a node of B does its work, and B has no such value
  gone,       ///< nothing in B was found for it
};
std::string_view name_of(ValueState state);

struct ComparedValue {
  std::string a;
  std::string b;           ///< "" where it is not mapped
  NodeRef node_a, node_b;  ///< that make it; of a fused value `node_b` is the node that does its work
  MappedBy by = MappedBy::computation;
  ValueState state = ValueState::gone;
  Measurement measurement;      ///< of mapped ones that were read: B's against A's, the worst over the samples
  std::optional<double> alone;  ///< the largest error where B's nodes are given A's values; absent where not run
};

/// How much of A was found in B. Values of the top graph that nodes make (no Constants) and that an output needs.
struct MapCoverage {
  std::int64_t values = 0, mapped = 0, by_binding = 0, by_computation = 0, by_name = 0, by_position = 0;
  std::int64_t fused = 0;         ///< not mapped, and the node of B that does its work is known
  std::int64_t gone = 0;          ///< neither
  std::int64_t in_subgraphs = 0;  ///< values inside subgraphs of A, in none of these numbers: not compared one by one
  std::int64_t own_values = 0;    ///< of B, that stand for none of A
  [[nodiscard]] double percent() const;  ///< mapped or fused, of all; 100 where there are none
};

/// Inner values are read by making them outputs. That must not change the model's own outputs by a bit.
struct CaptureFacts {
  std::int64_t values = 0;    ///< that were read in both models
  std::int64_t not_read = 0;  ///< mapped, but no run could bring them out
  std::int64_t samples = 0;
  std::int64_t runs = 0;
  std::int64_t halved = 0;  ///< runs that had to be made with fewer values, because reading these changed the outputs
  std::string message;      ///< what could not be read and why; ""
};

struct FirstDivergence {
  std::string a, b;                       ///< the value
  std::vector<NodeRef> nodes_a, nodes_b;  ///< that lie between it and the mapped values before it; its own maker first
  double error = 0;                       ///< the largest |B - A|, where B's nodes are given A's values
  double floor = 0;
  std::string message;  ///< one sentence
};

enum class CompareStatus {
  same,               ///< every output equivalent or within tolerance
  part,               ///< some output is not, or B fails where A does not
  not_reached,        ///< the same, but nodes with another limit, and no sample that tells them apart
  weak_data,          ///< no difference, but A's outputs say nothing on these samples
  nothing_in_common,  ///< no input or no output stands for another
  cannot_judge,       ///< A does not load, run or repeat, or B cannot be read
};
std::string_view name_of(CompareStatus status);

struct CompareReport {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  ModelFacts a, b;
  DataFacts data;
  std::vector<Warning> warnings;
  CompareStatus status = CompareStatus::cannot_judge;
  std::string message;          ///< why, where it is not `same`
  std::string reference_level;  ///< of the runtime's optimizations, in every run: "off"
  std::vector<std::pair<std::string, std::string>> inputs, outputs;  ///< A's and B's that stand for each other
  std::vector<std::string> unbound;         ///< inputs and outputs of either that stand for none: "output 'z' of B"
  Verdict verdict = Verdict::inconclusive;  ///< the worst of all outputs
  Measurements measurements;                ///< by output of A
  /// What is measured again of outputs with differences beyond the tolerance that rounding of the whole model explains:
  /// what B's nodes make of A's values, against what A's make of them. These have the last word.
  Measurements remade;
  std::vector<std::size_t> inner_samples;  ///< on which values inside were compared, the worst first; no field
  MapCoverage coverage;
  CaptureFacts capture;
  std::vector<ComparedValue> values;  ///< in the order of A's graph
  std::optional<FirstDivergence> first_divergence;
  std::vector<std::string> repros = {};  ///< folders that show the faults by themselves, below the run's: "repro/F1"
  std::optional<VariantDecisions> decisions = {};  ///< on a whole data set, A and B as users run them; absent without
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of this process
};

}  // namespace culprit
