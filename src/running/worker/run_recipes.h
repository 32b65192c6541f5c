#pragma once
// All recipes of an optimize job: which need no run, and the others in forks, a few at once.

#include <deque>
#include <list>
#include <set>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "worker/run_recipe.h"
#include "worker/staying_program.h"
#include "worker/supervisor.h"

namespace culprit {

/// The passes of all recipes that have a predicate, each once, in the order in which they first stand.
std::vector<std::string> scannable(const OptimizeJob& job, const std::vector<PassInfo>& passes);

/// For each recipe: must it run? Not where it has passes, all of them have predicates, and none of them matches: it is
/// the round trip.
std::vector<bool> to_do(const OptimizeJob& job, const std::vector<PassInfo>& passes,
                        const std::set<std::string>& matching);

class Recipes {
 public:
  /// All of these outlive it.
  Recipes(const RecipeContext& context, OptimizerSession& session, Supervisor& supervisor, StayingProgram& staying)
      : context_(context), session_(session), supervisor_(supervisor), staying_(staying) {}

  /// Sends the outcome of every recipe: of those not to do as skipped, of the others as their forks end.
  void run(const std::vector<bool>& to_do);

 private:
  struct Running {
    Child child;
    std::size_t recipe;
    std::string doing;
    RewriteTrace heard = {};  ///< visits, if they are traced: also of what dies
    std::uint64_t heard_bytes = 0;
  };
  bool start(std::size_t recipe);   ///< false: no process can be had now, but one of ours will end
  bool finished(Running& running);  ///< its outcome was sent
  void hear(Running& running, RewriteVisit visit);
  void send(VariantOutcome outcome);
  [[nodiscard]] std::size_t most_at_once() const;

  RecipeContext context_;
  OptimizerSession& session_;
  Supervisor& supervisor_;
  StayingProgram& staying_;
  std::deque<std::size_t> waiting_;
  std::list<Running> running_;
};

}  // namespace culprit
