#include "process/limit_itself.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "process/watch_limits.h"

namespace culprit {
namespace {

template <class Resource>
void set_soft(Resource resource, rlim_t value) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(value, limit.rlim_max);
  ::setrlimit(resource, &limit);
}

double cpu_used() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

}  // namespace

void tie_to_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it was gone before
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  for (const int crash : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) std::signal(crash, SIG_DFL);
}

void limit_process(const Limits& limits) {
  constexpr double slack = 2;  // seconds, so that the watch comes first and can tell more
  constexpr double never = 1e9;
  if (!memory_is_watched() && limits.memory_bytes > 0) set_soft(RLIMIT_AS, limits.memory_bytes);
  if (limits.cpu_seconds > 0 && limits.cpu_seconds < never)
    set_soft(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(cpu_used() + limits.cpu_seconds + slack)));
}

void unlimit_process() {
  set_soft(RLIMIT_AS, RLIM_INFINITY);
  set_soft(RLIMIT_CPU, RLIM_INFINITY);
}

}  // namespace culprit
