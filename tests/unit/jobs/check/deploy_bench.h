#pragma once
// A bench whose variants also run at the deploy level.

#include "bench.h"

namespace culprit {

class DeployBench : public Bench {
 protected:
  DeployBench() { options.deploy_level = Level::all; }

  [[nodiscard]] std::size_t runs_there() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(executor.ran, [](const RunJob& job) { return job.session.level == Level::all; }));
  }
};

/// Right with the runtime's optimizations off; with them on it does this.
inline Behaviour right_at_off(const std::string& content, Behaviour there) {
  Behaviour behaviour = changes(content);
  behaviour.ops = {{"BatchNormalization", -1}};
  behaviour.deployed = std::make_shared<Behaviour>(std::move(there));
  return behaviour;
}

inline Behaviour refused_there(const std::string& content, const std::string& why = "Bad node 'n7'") {
  Behaviour there;
  there.running = failure(Ending::threw, why);
  there.stage = RunOutcome::Stage::load;
  return right_at_off(content, there);
}

inline Behaviour wrong_there(const std::string& content, float shift = 0.5F) {
  return right_at_off(content, breaks("", shift));
}

}  // namespace culprit
