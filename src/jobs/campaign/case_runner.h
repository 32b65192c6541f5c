#pragma once
// Who runs cases: processes of ours, Ray, or a fake.

#include <optional>
#include <vector>

#include "base/error.h"
#include "campaign/case_order.h"
#include "process/failure.h"
#include "store/case_key.h"

namespace culprit {

/// How the process of a case ended.
struct CaseEnd {
  CaseKey key;
  double seconds = 0;
  std::optional<int> exit_code = {};  ///< that it told itself; absent: it died before
  Failure death = {};                 ///< where it died; its last words in any case
};

class CaseRunner {
 public:
  virtual ~CaseRunner() = default;
  /// ErrorKind::io where no process can be had.
  virtual Result<void> start(const CaseKey& key, const CaseOrder& order) = 0;
  /// Waits until one ends, the user asks to stop, or some time is over. Those that ended. An error: no case can run any
  /// more, and nothing is known of those that do.
  virtual Result<std::vector<CaseEnd>> wait() = 0;
  /// Ends all that run; `wait` tells nothing of them.
  virtual void kill_all() = 0;
};

}  // namespace culprit
