#pragma once
// What the diagnosis of a conversion says: plain structs, one field here is one field of its JSON, schema
// culprit.diagnosis/1 (docs/diagnosis.schema.json).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/data_facts.h"
#include "record/decisions.h"
#include "record/environment.h"
#include "record/measurement.h"
#include "record/warning.h"

namespace culprit {

/// What is wrong with the target.
enum class FaultClass {
  parameter,       ///< numbers of a weight are others
  layout,          ///< the right numbers in a wrong order: a kernel, a Flatten, a Transpose
  precision,       ///< all numbers of a weight are rounded to a grid
  hyperparameter,  ///< pads, strides, epsilon, axis, slope
  graph,           ///< an operator is lost, added or exchanged, or an edge is crossed
  quantization,    ///< scales or zero points
  preprocessing,   ///< the inputs are another thing: channels reversed
};
std::string_view name_of(FaultClass kind);

enum class DiagnosisStatus {
  same,               ///< every output equivalent or within tolerance; exit code 0
  faulty,             ///< 1
  not_judged,         ///< of a quantized target: decisions are others, by rounding alone; 3, as all below
  weak_data,          ///< the source's outputs say nothing on these samples
  nothing_in_common,  ///< no input or no output stands for another
  cannot_judge,       ///< the source does not load, run or repeat, or the target cannot be read
};
std::string_view name_of(DiagnosisStatus status);
/// 0 same, 1 faulty, 3 all else.
int exit_code_of(DiagnosisStatus status);

enum class LayerFound {
  itself,       ///< its output is found in the target
  by_consumer,  ///< what is made of its output is
  no,
};
std::string_view name_of(LayerFound found);

struct LayerRef {
  std::string name, type;  ///< "" where there is none
  int number = -1;         ///< of Network::layers
  bool operator==(const LayerRef&) const = default;
};

struct TargetRef {
  LayerRef node;
  std::string tensor, attribute;  ///< the parameter or hyper-parameter that is wrong; "" where it is none
};

/// A number of a parameter that is not what it should be.
struct WrongElement {
  std::vector<std::int64_t> source, target;  ///< where it is; empty: not there (a derived tensor)
  double right = 0, wrong = 0;
};

/// What tells of a fault before any proof.
struct FaultEvidence {
  /// A word of the schema: "elements", "order", "rounding", "factor", "other_layer", "hyper", "operator_lost",
  /// "operator_added", "operator_exchanged", "input_exchanged", "outputs_exchanged", "does_not_load",
  /// "does_not_run", "region", "feeding", "quantization".
  std::string kind;
  std::map<std::string, double> numbers;  ///< "wrong": 1, "of": 864, "mean_difference": 0.0012
  std::vector<WrongElement> elements;     ///< the first 5
  std::string message;                    ///< one sentence

  [[nodiscard]] std::optional<double> number(const std::string& name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
};

struct RepairRecord {
  std::string edit;          ///< "kernel_shape of 'n13' := [2, 2]"
  std::string right, wrong;  ///< of a hyper-parameter or an operator; else ""
  double error_before = 0;   ///< without the edit
  double error_after = 0;    ///< and with it
  /// What has these errors: the region alone, fed the source's values, or the network's outputs.
  enum class Of { region, outputs } of = Of::region;
};

struct ConversionFault {
  std::string id;  ///< "F1"
  FaultClass kind = FaultClass::graph;
  std::string stage = {};  ///< StageRecord::name of the file that has it; "" without stages, or where nobody knows
  LayerRef source;         ///< number -1: the target has an operator more
  std::vector<LayerRef>
      group;  ///< layers of the source that one node of the target holds: a Conv and its normalization
  TargetRef target;
  FaultEvidence evidence;
  RepairRecord repair;
  bool confirmed = false;
  std::string not_confirmed_because;  ///< "" where it is
  std::string repro;       ///< folder that shows it by itself, below the run's: "repro/F1"; "": there is none
  bool is_reached = true;  ///< false: shown on made-up inputs only
};

/// One layer of the source, for the table of layers and the figure.
struct LayerRow {
  LayerRef source, target;  ///< target: number -1 where none was found
  LayerFound found = LayerFound::no;
  std::optional<double> error;                 ///< the largest difference of its output, as it came
  std::optional<double> error_alone;           ///< and where the target is fed behind each fault before
  std::optional<double> floor;                 ///< what rounding explains there, where it was asked for
  std::optional<double> parameter_difference;  ///< the largest mean difference of its parameters
  std::string fault;                           ///< "F1"; "" of none
};

/// How much of the source was found. Layers that are computed.
struct MapCounts {
  std::int64_t layers = 0, with_parameters = 0;
  std::int64_t found = 0, by_consumer = 0, not_found = 0;  ///< of those with parameters
  std::int64_t values = 0, values_found = 0;
  [[nodiscard]] double percent() const;  ///< of layers with parameters, found either way; 100 where there are none
};

struct MappedValue {
  std::string source, target;  ///< names
  std::string order;           ///< "" as in the source, "axes 0, 2, 3, 1 of [1,3,8,8]"
  std::string by;              ///< "binding", "numbers", "fed"
  double error = 0;
  std::optional<double> floor;  ///< what rounding explains there; none where the two are so near that nobody asked
};

struct MappedParameter {
  LayerRef layer;      ///< of the source
  std::string tensor;  ///< of the source; of a derived one how it is made
  std::string target;
  std::string kind;  ///< "same", "changed", "scrambled"
  std::string order;
  double mean_difference = 0, distance = 0;
  std::int64_t wrong = 0;
};

struct MapRecord {
  MapCounts counts;
  std::vector<MappedValue> values;
};

/// An output of the source and what stands for it.
struct BoundOutput {
  std::string source, target, order;
  Measurement measurement;
  /// The order in which the target has the axes of the source's, where that is another, and the target's shape on the
  /// first sample; empty: as they are, or in an order that these do not tell (`order` does).
  std::vector<int> axes = {};
  std::vector<std::int64_t> shape = {};
};

/// One of the two files.
struct NetworkFacts {
  std::string path, sha256, format;
  std::int64_t layers = 0;
};

/// The output of a file that is furthest off on one sample.
struct SampleError {
  double max_abs = 0;
  bool is_beyond_floor = false;  ///< an output is off by more than rounding explains
  bool is_wrong = false;         ///< and beyond the tolerance; of a strict judge there is none
};

/// What a step of a conversion did to what it was given.
enum class StageStep {
  right,      ///< right as the file before it is
  inherited,  ///< as wrong as the file before it, without a fault of its own
  added,      ///< it has a fault that the file before it does not have
  mended,     ///< right, though the file before it is wrong
  unknown,    ///< it cannot be judged
};
std::string_view name_of(StageStep step);

/// One file of a conversion that went in several steps: all behind the source, the target last.
struct StageRecord {
  NetworkFacts file = {};
  std::string name;                                        ///< of the file; its path where two files have one name
  DiagnosisStatus status = DiagnosisStatus::cannot_judge;  ///< against the source
  StageStep step = StageStep::unknown;                     ///< against `before`
  std::string before;                                      ///< the last file before it that runs, by its name
  std::string message;                                     ///< how many faults it added, or why it cannot be judged; ""
  std::vector<SampleError> samples;                        ///< against the source; empty: it does not run
  std::vector<std::string> faults;                         ///< that it added: "F1"
  std::vector<std::string> inherits;                       ///< that it has from the files before it
  std::vector<std::string> mends;                          ///< those of the files before it that it no longer has
};

/// One way in which the target may want to be fed.
struct FeedingTry {
  std::string way;        ///< "channels reversed"
  double error = 0;       ///< the largest difference of an output from the source's, on the sample that is furthest off
  bool is_right = false;  ///< all outputs are right so, on all samples
};

/// One way in which what the target is fed may be made of what the source is fed.
struct DataTry {
  std::string way;       ///< as of FeedingTry, or "the data of the source as they are"
  double apart = 0;      ///< the mean difference over the mean size, of the worst input; infinite in other shapes
  bool is_same = false;  ///< they are made so, but for rounding
};

/// How pixels become what a target takes, as far as that is another thing than what the source takes.
struct PixelFeeding {
  bool is_reversed = false;  ///< its channels are in the other order
  bool is_scaled = false;    ///< then (pixel * scale - mean) / std, of pixels from 0 to 255
  double scale = 1;
  std::vector<double> mean = {}, std = {};  ///< by channel of the target, or one for all
};

/// What the target is fed, where it is not what the source is fed.
struct FeedingRecord {
  std::string fits;               ///< FeedingTry::way; "": none does
  std::vector<FeedingTry> tried;  ///< the nearest first
  std::vector<DataTry> data;      ///< of data of its own: how they are made of the source's, the nearest first
  double error_as_fed = 0;        ///< the largest difference of an output from the source's, as the target is fed
  std::optional<PixelFeeding> pixels = {};  ///< `fits`, where it is about pixels alone; no field
  bool has_own_data = false;                ///< the target has data of its own, and is not fed what the source is fed
};

/// What rounding one layer of the source alone costs.
struct LayerCost {
  LayerRef layer;
  double error = 0;          ///< root of the mean square of what the outputs are off
  std::int64_t changed = 0;  ///< samples that are decided otherwise
};

/// Which layers to keep in float, so that a target in fewer bits decides as the source does.
struct KeepRecord {
  std::string rounding;      ///< "int8 weights and uint8 values"
  std::int64_t samples = 0;  ///< that were decided
  std::int64_t changed_by_target = 0;
  std::int64_t changed_by_rounding = 0;  ///< of the source with all layers rounded
  std::vector<LayerCost> layers;         ///< the most costly first
  std::vector<LayerRef> kept;            ///< in the order of the source
  std::string option;                    ///< of ONNX's quantizers that takes their names; "" for other formats
  bool is_proven = false;         ///< with these in float, and all others rounded, no sample is decided otherwise
  std::int64_t changed_left = 0;  ///< else so many are
  std::int64_t runs = 0;          ///< sets of layers that were tried; the ranking took one run for each layer besides
};

struct Diagnosis {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  NetworkFacts source, target;
  DataFacts data;
  std::vector<Warning> warnings;
  DiagnosisStatus status = DiagnosisStatus::cannot_judge;
  std::string message;              ///< why, where it is not `same`
  std::vector<BoundOutput> inputs;  ///< their measurement says nothing
  std::vector<BoundOutput> outputs;
  std::vector<SampleError> samples;  ///< of outputs that were judged; no field
  std::optional<VariantDecisions> decisions = {};
  /// With intermediate files. Then faults are those of all files, and map, parameters and layers tell of the first
  /// wrong one and the file before it.
  std::vector<StageRecord> stages = {};
  std::optional<FeedingRecord> feeding = {};
  bool is_in_few_bits = false;  ///< the target has fewer bits than the source, on purpose
  std::optional<KeepRecord> keep = {};
  MapRecord map;
  std::vector<MappedParameter> parameters;
  std::vector<LayerRow> layers;  ///< in the source's order
  std::vector<ConversionFault> faults;
  std::int64_t runs = 0;  ///< samples that ran
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< of this process
};

}  // namespace culprit
