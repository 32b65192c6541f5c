#pragma once
// Run jobs in their worker. The runtime is opened at the first of them and kept; sessions are made and dropped with
// every job.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/executor.h"
#include "process/channel.h"
#include "runtime/runner.h"
#include "runtime/runner_kind.h"
#include "worker/protocol.pb.h"
#include "worker/worker_main.h"

namespace culprit {

/// A session that the next job may use; a job that asks for another one, or for none, drops it first.
struct KeptSession {
  std::string key;
  std::unique_ptr<RunnerSession> session;
};

class RunServer {
 public:
  /// Both outlive it.
  RunServer(const WorkerSkills& skills, Channel& parent) : skills_(skills), parent_(parent) {}
  /// Sends Loading, Running before every sample, and Ran, whatever happens.
  void serve(const wire::RunJob& wire_job);

 private:
  Result<Runner*> runner(const RunnerSpec& spec);

  const WorkerSkills& skills_;
  Channel& parent_;
  RunnerSpec spec_;
  std::unique_ptr<Runner> runner_;
  KeptSession kept_;  // behind the runner, for it goes before it
};

/// The tensors of a pack as the variant's inputs: renamed and cast as `inputs` say, or as they are where it is empty.
/// States are fed back from the variant's own outputs. An error names what is not in the pack.
Result<std::vector<NamedTensor>> bind_inputs(std::vector<NamedTensor> pack, const std::vector<BoundInput>& inputs,
                                             const RenamedOutputs& outputs = {});

}  // namespace culprit
