#pragma once
// One of the two networks of a conversion, as something whose values are shown, that is fed, changed and run. It knows
// its format; nobody above does. It runs nothing itself: it prepares jobs for an Executor.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compare/editable_model.h"
#include "conversion/edits/edit.h"
#include "executor/executor.h"
#include "model/rounding_natures.h"
#include "network/keras/keras_graph.h"
#include "network/network.h"
#include "network/tflite/tflite_file.h"

namespace culprit {

/// A value that is given instead of computed: all its uses get this. What its own maker gives stays readable.
struct SideFeed {
  int value = -1;                 ///< of Side::network(): an input, or what a layer makes
  std::vector<Tensor> by_sample;  ///< in this side's layout and type
};

/// What is wanted of a run.
struct SideView {
  /// What is shown: what layers make (also of a fed value what its own maker gives, and of one with layers inserted
  /// behind it for all users what the last of these gives), and what follows from constants. Inputs of the network
  /// only with a layer inserted behind them, stored constants never: they are known.
  std::vector<int> values;
  std::vector<SideFeed> feeds = {};
  std::vector<Edit> edits = {};
  /// nullopt: the whole network, and its outputs stay outputs. Else only these layers, those that edits insert, and
  /// those that follow from constants are left in the file, and all else that they take must be fed or be an input of
  /// the network. None at all: an inserted layer alone. Fed values are there for edits, too (SetInput).
  std::optional<std::vector<int>> only_layers = std::nullopt;
};

struct PreparedRun {
  RunJob job;                      ///< its `perturbation` is free to be set
  std::vector<std::string> names;  ///< names[i]: what values[i] of the view is called in the packs of outputs
  /// What the network's own outputs are called there, in their order; "" of one that is not there (`only_layers`, or
  /// one that nothing but feeds leads to).
  std::vector<std::string> outputs;
  std::vector<std::string> fed;  ///< and what feeds[i] of the view is called in the packs of samples
};

struct SideOptions {
  SessionOptions session = {};
  Limits limits = {};
};

/// Shapes that an output of the network was seen to have in runs.
struct SeenOutput {
  int output = -1;  ///< into Network::outputs
  std::vector<Shape> shapes;
};

class Side {
 public:
  virtual ~Side() = default;
  [[nodiscard]] virtual const Network& network() const = 0;
  /// Writes the file and packs of inputs below `folder`, which must exist and be empty or of an earlier call whose run
  /// is over. `samples`: packs of the inputs by this network's own names and in its own layout; by_sample of all feeds
  /// is as long. Errors: unsupported (names the node or the edit that this format cannot have, or a value that no run
  /// can show), io.
  virtual Result<PreparedRun> prepare(const SideView& view, const std::vector<std::filesystem::path>& samples,
                                      const std::filesystem::path& folder) const = 0;
  /// Writes the whole network with these edits below the folder that it was opened with, as users load it: inputs and
  /// outputs keep their names and their order, and what the edits put out of use goes. Where the file declares sizes of
  /// outputs that none of `seen` has, these are declared. Gives the file. Errors: unsupported (a format that is not
  /// written: TensorFlow, Keras; an edit that this one cannot have), io.
  [[nodiscard]] virtual Result<std::filesystem::path> write_whole(const std::vector<Edit>& edits,
                                                                  const std::vector<SeenOutput>& seen = {}) const;
  /// Does Perturbation (executor/executor.h) work on its files?
  [[nodiscard]] virtual bool can_be_drawn() const = 0;
  /// What rounding does to a value.
  [[nodiscard]] virtual Nature nature_of(int /*value*/) const { return Nature::smooth; }
};

/// `network`: as read_onnx_network reads the model (with its data inside).
std::unique_ptr<Side> open_onnx_side(EditableModel model, Network network, SideOptions options);

/// The main graph of a TFLite file. Inputs and outputs have the names of its first signature, or of their tensors where
/// there is none, as the runner has them; all inputs must be in the samples, also those that a view needs no more.
/// `folder`: where files of views are written; it must exist.
///
/// Quantized tensors (int8, uint8 with a scale) are shown and fed as the integers that runs give, and
/// Network::values says what they mean. A constant of real numbers for a quantized tensor is stored with its scales.
/// A value between an operator and its fused activation cannot be shown, but fed: the activation becomes an operator.
/// Errors: bad_input (no graph, constants that do not fit), unsupported (the first signature is of another subgraph).
Result<std::unique_ptr<Side>> open_tflite_side(TfliteFile file, std::filesystem::path folder, SideOptions options);

/// A frozen graph (.pb) of TensorFlow. Values, inputs and outputs are named as tensors are: "x:0". `folder`: where
/// graphs of views are written; it must exist. Errors: bad_input, unsupported (read_tensorflow_network), io.
Result<std::unique_ptr<Side>> open_tensorflow_side(const std::filesystem::path& frozen_graph,
                                                   std::filesystem::path folder, SideOptions options);

/// A model of Keras, run by the frozen graph that Keras made of it (runtime/freeze_keras.h). It can be looked into and
/// fed. It is for the source of a conversion, which nobody repairs: of edits only those are made that round it (other
/// numbers for a stored constant, new layers behind values). Inputs and outputs are named as their tensors,
/// "picture:0". `folder`: where graphs of views are written; it must exist. Errors: io.
Result<std::unique_ptr<Side>> open_keras_side(KerasRun keras, const std::filesystem::path& frozen_graph,
                                              std::filesystem::path folder, SideOptions options);

}  // namespace culprit
