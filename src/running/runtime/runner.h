#pragma once
// Something that computes outputs. Anything may crash in here, so it runs in workers only.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "runtime/session_options.h"
#include "tensor/tensor.h"

namespace culprit {

/// Runs the same inputs again and again, for measuring: they are made ready once, and outputs are dropped. The session
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
  /// Ends the profile of all runs so far of a session with `profile_to`, and tells its file. Once; later runs are in no
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

}  // namespace culprit
