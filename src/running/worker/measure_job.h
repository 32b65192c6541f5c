#pragma once
// Measuring, on the worker's side: sessions that stay, each on samples made ready once, run when the parent says so.
// What is timed is the runtime's own call; of a session with one thread without the time for which it waited for a CPU.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/cpu_wait.h"
#include "process/channel.h"
#include "runtime/runner.h"
#include "runtime/runner_kind.h"
#include "worker/protocol.pb.h"
#include "worker/warm_up.h"
#include "worker/worker_main.h"

namespace culprit {

class MeasureServer {
 public:
  /// Both outlive it.
  MeasureServer(const WorkerSkills& skills, Channel& parent) : skills_(skills), parent_(parent) {}
  /// Each of them answers with one message, whatever happens.
  void serve(const wire::MeasuredModel& model);
  void serve(const wire::Turn& turn);
  void serve(const wire::Resident& question);
  void serve(const wire::EndProfile& question);

 private:
  struct Measured {
    std::unique_ptr<RunnerSession> session;
    std::vector<std::unique_ptr<BoundRun>> samples;  // behind the session, for they go before it
    std::size_t next = 0;                            ///< sample, of the next run
    bool is_alone = true;                            ///< one thread does it all
  };

  Result<void> load(const wire::MeasuredModel& model, wire::Measured& answer);
  Result<void> run(const wire::Turn& turn, wire::Measured& answer);
  Result<Runner*> runner(const RunnerSpec& spec);
  template <class Work>
  void answer(Work&& work);

  const WorkerSkills& skills_;
  Channel& parent_;
  std::optional<CpuWait> wait_;  ///< of the thread that measures; open from the first load on
  std::unique_ptr<Runner> runner_;
  WarmUp warm_up_;
  std::map<std::uint32_t, Measured> models_;  // behind the runner, for they go before it
};

}  // namespace culprit
