#pragma once
// Wraps passes of the library so that their visits can be counted, stopped and left out. Needs no patch: predicate and
// transformation are public and virtual, and a pass whose predicate says no is never run (measured: byte-identical
// models without a limit, also in the library's fixpoint).

#include <memory>
#include <set>

#include "optimizer/onnx_optimizer/library.h"
#include "optimizer/rewrites.h"

namespace culprit {

/// Counts the visits of all passes that share it.
class Budget {
 public:
  Budget(const RewriteLimits& limits, std::uint64_t& count, const OnVisit& on_visit);

  /// May this be visited now?
  [[nodiscard]] bool allows(const RewriteSite& site) const;
  /// Its predicate is asked about it; no node: it has answered for all of them.
  void ask(const RewriteSite& site, onnx::Node* node);
  /// It is being visited. `node` is null for a pass over the full graph.
  void spend(const RewriteSite& site, onnx::Node* node);

 private:
  void tell(const RewriteSite& site, onnx::Node* node, bool only_asked) const;

  const RewriteLimits& limits_;
  std::set<RewriteSite> skip_;
  std::uint64_t& count_;
  const OnVisit& on_visit_;
};

/// Puts the same pass under a budget. `pass` and `budget` are held by reference or shared; both must outlive the run.
std::shared_ptr<onnx::optimization::Pass> budgeted(std::shared_ptr<onnx::optimization::Pass> pass, Budget& budget);

}  // namespace culprit
