#pragma once
// Something that computes outputs. Anything may crash in here, so it runs in workers only.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

enum class Level { off = 0, basic = 1, extended = 2, layout = 3, all = 99 };
std::string_view name_of(Level level);
std::optional<Level> level_named(std::string_view name);
std::vector<std::string> level_names();  ///< of all, from off to all

struct SessionOptions {
  Level level = Level::off;
  int threads = 1;                                ///< intra-op threads; two change bits (facts/onnxruntime.md)
  std::vector<std::filesystem::path> custom_ops;  ///< libraries with custom operators; loading one runs its code
  std::filesystem::path save_optimized_to;        ///< "" or where the runtime writes the model as it will run it
  std::vector<std::string> disabled_steps = {};   ///< of its optimizations, by their registered names
  /// "" or how the path of a profile begins: the runtime adds a date and ".json". It writes while it runs, a million
  /// events at most, so what runs with a profile on is never used for timing.
  std::filesystem::path profile_to = {};
  /// What gets the nodes that it knows, "CUDA", by the names of Runner::providers; the CPU gets the others. "": the CPU
  /// gets all.
  std::string provider = {};
  /// Where the files of the model's external data lie; "": beside the model.
  std::filesystem::path data_folder = {};
  /// Inner values as outputs, instead of those of the model: tensors of a graph of TensorFlow ("conv/Relu:0"), layers
  /// of Keras ("conv", "block/conv"; "lstm:1" for the second value that a layer gives). Outputs have these names.
  /// Runners of other kinds know none.
  std::vector<std::string> fetch = {};
  /// Of TensorFlow and Keras: the model may run code and touch files. Else what can do so is refused, and named.
  bool trusted = false;
};

/// The same inputs again and again, for measuring: they are made ready once, and outputs are dropped. The session
/// outlives it.
class BoundRun {
 public:
  virtual ~BoundRun() = default;
  virtual Result<void> run() = 0;
};

/// A loaded model. Outputs come in the model's order, with its names, and own their bytes.
class RunnerSession {
 public:
  virtual ~RunnerSession() = default;
  /// What the session options that the runtime really got were set to.
  [[nodiscard]] virtual Level level() const = 0;
  /// Sequences, maps and optionals go in and come out in parts (tensor/structured_value.h); a sparse tensor is
  /// ErrorKind::unsupported and named. Errors of the runtime keep its own words and error code. The bits repeat:
  /// elements are fed 64-byte aligned, wherever they come from.
  virtual Result<std::vector<NamedTensor>> run(const std::vector<NamedTensor>& inputs) = 0;
  /// As `run` takes them. Unless a runner knows better, it is `run` with the making ready.
  virtual Result<std::unique_ptr<BoundRun>> bind(const std::vector<NamedTensor>& inputs);
  /// Most bytes that the runtime's own allocator has held; 0: it cannot tell.
  [[nodiscard]] virtual std::uint64_t arena_bytes() const { return 0; }
  /// Of a session with `profile_to`: ends the profile of all runs so far and tells its file. Once; later runs are in no
  /// profile. ErrorKind::unsupported where there is none.
  virtual Result<std::filesystem::path> end_profile() {
    return fail(ErrorKind::unsupported, "this session makes no profile");
  }
};

/// A model that lies in memory: its bytes, and the elements of initializers of its graph that these leave outside, by
/// name. So a model may be larger than 2 GiB.
struct ModelInMemory {
  std::string bytes;
  std::vector<NamedTensor> outside;
};

constexpr std::string_view onnxruntime_kind = "onnxruntime", tflite_kind = "tflite", tensorflow_kind = "tensorflow",
                           keras_kind = "keras";

class Runner {
 public:
  virtual ~Runner() = default;
  [[nodiscard]] virtual std::string name() const = 0;     ///< "onnxruntime"
  [[nodiscard]] virtual std::string version() const = 0;  ///< "1.31.1"
  /// On what it can run a model, if the machine lets it: "CUDA", "CPU".
  [[nodiscard]] virtual std::vector<std::string> providers() const { return {"CPU"}; }
  virtual Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                                      const SessionOptions& options) = 0;
  /// Knows the operator `culprit.Rounding` (model/perturb_results.h), too.
  virtual Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) = 0;
};

/// Who runs a model. One process holds one of them.
struct RunnerSpec {
  /// ONNX Runtime's or LiteRt's library, TensorFlow's libtensorflow_cc; of Keras the interpreter of Python.
  std::filesystem::path library;
  std::string kind = std::string(onnxruntime_kind);  ///< one of those above
  bool operator==(const RunnerSpec&) const = default;
};

/// ONNX Runtime from a shared library of any version from 1.20. One library per process: its C++ API table is global,
/// so another library is refused. Sessions run sequentially, with `threads` intra-op and one inter-op thread, and log
/// errors only.
Result<std::unique_ptr<Runner>> open_onnxruntime(const std::filesystem::path& library);

/// TFLite models by LiteRT (libLiteRt.so of the Python package ai-edge-litert 2.x). With optimizations off TFLite's own
/// kernels compute every operator, else XNNPACK does what it knows. Of several signatures the first runs, and inputs
/// and outputs have the names that it gives them. A library of another version is refused: before anything else a known
/// model is run, so this belongs in a worker.
Result<std::unique_ptr<Runner>> open_tflite(const std::filesystem::path& library);

/// Frozen graphs (.pb) and SavedModels (folders) of TensorFlow by its C functions (libtensorflow_cc.so.2 of the Python
/// package tensorflow 2.x). Inputs and outputs of a SavedModel have the names of its signature for serving; those of a
/// graph are tensors, "x:0", of its Placeholders and of the nodes that nobody uses. With optimizations off no graph is
/// rewritten and no constant folded, but where a function of a SavedModel brings options of its own. Kernels are those
/// without oneDNN, at every level. Before anything else a known graph is run, so this belongs in a worker.
Result<std::unique_ptr<Runner>> open_tensorflow(const std::filesystem::path& library);

/// LiteRT's library: what CULPRIT_TFLITE names, or the one in the cache folder. The error names the command that brings
/// it.
Result<std::filesystem::path> find_tflite();

/// TensorFlow's library: what CULPRIT_TENSORFLOW names, or the one in the cache folder.
Result<std::filesystem::path> find_tensorflow();

/// The runner of that kind. Errors: those of its own function; internal: there is no such kind.
Result<std::unique_ptr<Runner>> open_runner(const RunnerSpec& spec);

/// The library a user means by `--runtime`: a file, a version in the cache folder, or "" or "default" for
/// CULPRIT_RUNTIME, then the cache's default, then the system's. The error names every place that was looked at and the
/// command that brings a version.
Result<std::filesystem::path> find_onnxruntime(const std::string& path_or_version);

}  // namespace culprit
