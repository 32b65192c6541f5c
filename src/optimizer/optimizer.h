#pragma once
// Something that turns a model into another that should mean the same. Anything may crash, hang or exit in here, so it
// is used in workers only, each recipe in a fork of its own.

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "optimizer/rewrites.h"
#include "record/words.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

struct PassInfo {
  std::string name;
  std::string kind;  ///< "fuse", "eliminate", "replace", "separate", "other"
  Contract contract = Contract::equivalent;
  bool in_bundle = false;
  bool by_predicate = false;  ///< `may_match` is meaningful: a pass that matches no node changes nothing
  std::string help;           ///< one line
};

/// A model imported into the optimizer's own form. Not copyable in general, which is why recipes run in forks.
class OptimizerSession {
 public:
  virtual ~OptimizerSession() = default;
  /// Could this pass do anything here? True for passes without a predicate. Must leave the session as it is. May crash.
  virtual bool may_match(const std::string& pass) = 0;
  /// Applies the recipe and exports; no passes at all is the round trip. Uses the session up: a second call throws
  /// std::logic_error. Throws what the optimizer throws, and for a pass that it does not have.
  virtual onnx::ModelProto apply(const Recipe& recipe) = 0;
  /// The same within limits, for an optimizer whose rewrites can be counted; others throw std::logic_error. What was
  /// done up to an exception is counted and told all the same.
  virtual onnx::ModelProto apply_within(const Recipe& recipe, const RewriteLimits& limits, std::uint64_t& count,
                                        const OnVisit& on_visit);
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  [[nodiscard]] virtual std::string name() const = 0;  ///< "onnx_optimizer"
  [[nodiscard]] virtual std::string version() const = 0;
  /// In the optimizer's own order, which is the bundle's order too.
  [[nodiscard]] virtual std::vector<PassInfo> passes() const = 0;
  /// Throws what the optimizer throws. External data must be inside `model` already.
  virtual std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model) = 0;
};

/// ONNX Optimizer, linked. Repeats the library's quirks: IR 3 becomes 4 before the import, a model it cannot parse (IR
/// 1 or less) comes back as it was, functions are copied. Repeat::once is its `optimize`, library its
/// `optimize_fixed_point`; stable repeats `once` until the fingerprint has been seen before (at most 100 rounds).
std::unique_ptr<Optimizer> make_onnx_optimizer();

}  // namespace culprit
