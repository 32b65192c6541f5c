#pragma once
// Something that turns a model into another that should mean the same. Anything may crash, hang or exit in here, so it
// is used in workers only, each recipe in a fork of its own.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/placed_weights.h"
#include "optimizer/rewrites.h"
#include "optimizer/traits.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

class LineProgram;  // process/line_program.h

/// A place where a pass would do something: one node that its predicate holds for.
struct Place {
  std::string pass;
  std::string op_type;
  std::string output;               ///< the name of the node's first output
  std::vector<std::string> inputs;  ///< names of the node's inputs; "" for one that is left out
  bool operator==(const Place&) const = default;
};

/// A model imported into the optimizer's own form. Not copyable in general, which is why recipes run in forks.
class OptimizerSession {
 public:
  virtual ~OptimizerSession() = default;
  /// Large tensors of the imported model lie in `weights`: their elements are moved into the imported form, before
  /// anything else is asked for. `apply` then leaves the large tensors of its result there, placed, so that none of
  /// them is copied. `weights` outlives the session. Where this is not called, models come whole, and stay so.
  virtual void use(Weights& /*weights*/) {}
  /// `apply` is called in a fork next, and may ask this program, which stays, in place of starting one; null: there is
  /// none.
  virtual void ask(const LineProgram* /*staying*/) {}
  /// Could this pass do anything here? True for passes without a predicate. Must leave the session as it is. May crash.
  virtual bool may_match(const std::string& pass) = 0;
  /// The places where it could do something: at most `most` nodes, evenly spread over all that match, in the order of
  /// the graph, graphs inside nodes included. None for passes without a predicate. Leaves the session as it is. May
  /// crash.
  virtual std::vector<Place> places(const std::string& /*pass*/, std::size_t /*most*/) { return {}; }
  /// Applies the recipe and exports; no passes at all is the round trip. Uses the session up: a second call throws
  /// std::logic_error. Throws what the optimizer throws, and for a pass that it does not have.
  virtual onnx::ModelProto apply(const Recipe& recipe) = 0;
  /// Applies the recipe within limits, for an optimizer whose rewrites can be counted; others throw std::logic_error.
  /// What was done up to an exception is counted and told all the same.
  virtual onnx::ModelProto apply_within(const Recipe& recipe, const RewriteLimits& limits, std::uint64_t& count,
                                        const OnVisit& on_visit);
  /// Steps that say of themselves that they changed the model, once `apply` has returned or thrown. They need not tell
  /// all, nor the truth. None where the optimizer tells nothing.
  [[nodiscard]] virtual std::vector<std::string> touched() const { return {}; }
};

/// Beside the model in memory: what an optimizer needs that works on files, or with a library of its own.
struct ImportPlace {
  std::filesystem::path file;     ///< the model as given
  std::filesystem::path scratch;  ///< a folder for its files; it exists
  std::filesystem::path library;  ///< of the runtime; no session of it is made in this process: only in forks of it
};

/// What an optimizer makes in `ImportPlace::scratch` has a name that begins so: when its process is over, however that
/// ended, `remove_scratch` takes it away. 0 stands for any process.
std::string scratch_prefix(std::int64_t process);
void remove_scratch(const std::filesystem::path& folder, std::int64_t process);

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  [[nodiscard]] virtual std::string name() const = 0;  ///< "onnx_optimizer"
  [[nodiscard]] virtual std::string version() const = 0;
  /// In the optimizer's own order, which is the bundle's order too.
  [[nodiscard]] virtual std::vector<PassInfo> passes() const = 0;
  /// Throws what the optimizer throws. External data must be inside `model` already, or
  /// placed (model/placed_weights.h): then `use` comes next.
  virtual std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model, const ImportPlace& place) = 0;
  /// Its own form of a model cannot hold all types (model/lost_types.h): they are put back in every variant.
  [[nodiscard]] virtual bool loses_types() const { return false; }
};

/// ONNX Optimizer, linked. Repeats the library's quirks: IR 3 becomes 4 before the import, a model it cannot parse (IR
/// 1 or less) comes back as it was, functions are copied. Repeat::once is its `optimize`, library its
/// `optimize_fixed_point`; stable repeats `once` until the fingerprint has been seen before (at most 100 rounds).
std::unique_ptr<Optimizer> make_onnx_optimizer();

/// What ONNX Runtime does to a model that it loads: a recipe's variant is what a session at the recipe's level saves.
/// Its steps are not known here: the library is asked for them elsewhere (onnxruntime/harvest_steps.h).
std::unique_ptr<Optimizer> make_onnxruntime_optimizer();

/// Programs that turn a model's file into another: a recipe says itself how its program is called. It serves all names
/// that a worker knows no other optimizer for.
std::unique_ptr<Optimizer> make_command_optimizer();
inline constexpr const char* command_optimizer_name = "command";

}  // namespace culprit
