#pragma once
// An optimize worker's forks: started, told about to the parent, waited for.

#include <filesystem>
#include <functional>
#include <vector>

#include "base/error.h"
#include "optimizer/optimizer.h"
#include "process/child.h"
#include "worker/wire.h"

namespace culprit {

class Supervisor {
 public:
  /// `parent` outlives this. Forks log into `scratch` and live within `limits`.
  Supervisor(Channel& parent, std::filesystem::path scratch, const Limits& limits);

  /// Runs `body` in a fork, in a process group of its own, with a channel to it; the fork ends when the body returns or
  /// throws. `helper`: another process that works for it (process/watch_limits.h).
  Result<Child> fork(const std::function<void(Channel&)>& body, pid_t helper = 0);
  /// Waits for news of the children or of the parent, and looks at the children's limits.
  void wait(const std::vector<Child*>& children);

  /// Removes what this fork, which is over, left in the scratch folder.
  void clear_after(pid_t fork) const { remove_scratch(scratch_, fork); }

  [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_; }
  void say(const wire::FromWorker& message);
  void doing(const std::string& what);  ///< tells the parent, for the message if it is the last it hears
  [[nodiscard]] std::size_t share() const { return share_; }  ///< how many forks there may be at once
  [[nodiscard]] bool parent_gone() const { return parent_.ended(); }

 private:
  void listen();
  Channel& parent_;
  std::filesystem::path scratch_;
  Limits limits_;
  std::size_t share_ = 1;
};

}  // namespace culprit
