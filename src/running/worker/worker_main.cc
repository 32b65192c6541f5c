#include "worker/worker_main.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "process/channel.h"
#include "process/limit_itself.h"
#include "worker/measure_job.h"
#include "worker/optimize_job.h"
#include "worker/run_job.h"
#include "worker/wire.h"

namespace culprit {
namespace {

/// The process that made the socket pair: our parent, unless it died before we could ask to die with it.
pid_t maker_of(int socket) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.pid : -1;
}

}  // namespace

int worker_main(int fd, const WorkerSkills& skills) {
  constexpr int usage_code = 2;
  const pid_t parent = maker_of(fd);
  if (parent <= 0) {
    std::fputs("culprit worker: --fd names no socket of a parent; this command is started by culprit itself\n", stderr);
    return usage_code;
  }
  tie_to_parent(parent);
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // last words must not die in a buffer
  Channel channel{Fd(fd)};
  RunServer runs(skills, channel);
  MeasureServer measures(skills, channel);
  StayingProgram staying;
  while (true) {
    const auto bytes = channel.next();
    if (!bytes) {
      if (!channel.wait()) return 0;
      continue;
    }
    const auto message = wire::parse<wire::ToWorker>(*bytes);
    if (!message) return usage_code;
    if (message->has_run()) runs.serve(message->run());
    if (message->has_measure()) measures.serve(message->measure());
    if (message->has_turn()) measures.serve(message->turn());
    if (message->has_end_profile()) measures.serve(message->end_profile());
    if (message->has_resident()) measures.serve(message->resident());
    if (message->has_optimize()) {
      serve_optimize(message->optimize(), skills, staying, channel);
      if (!message->optimize().works_in_forks()) return 0;  // something of the model may have stayed behind
    }
  }
}

}  // namespace culprit
