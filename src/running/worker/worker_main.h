#pragma once
// The other side of the pool: the body of `culprit worker`. Reads jobs from a socket, sends outcomes back, ends when it
// closes.

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "optimizer/optimizer.h"
#include "runtime/open_runner.h"

namespace culprit {

/// What a worker can do. The product gives ONNX Optimizer and ONNX Runtime; tests add things that crash, hang and lie.
struct WorkerSkills {
  std::vector<std::shared_ptr<Optimizer>> optimizers;  ///< found by name()
  std::function<Result<std::unique_ptr<Runner>>(const RunnerSpec& spec)> open_runner;
};

/// Serves jobs on the socket `fd` until it closes. Returns the exit status.
int worker_main(int fd, const WorkerSkills& skills);

}  // namespace culprit
