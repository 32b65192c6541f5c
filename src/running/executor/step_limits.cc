#include "executor/step_limits.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr double as_long = 10;   // times what the original takes
constexpr double at_least = 10;  // seconds, for a machine may be busy and a first run has to warm up

/// What is behind the last sample is little: as the longest of them.
double took(const Pace& pace, std::size_t step) {
  if (step == 0) return pace.load;
  if (step <= pace.samples.size()) return pace.samples[step - 1];
  return pace.samples.empty() ? pace.load : *std::ranges::max_element(pace.samples);
}

}  // namespace

Limits limits_of_step(const RunJob& job, std::size_t step) {
  Limits limits = job.limits;
  if (!job.original_took) return limits;
  const double seconds = std::max(at_least, as_long * took(*job.original_took, step));
  limits.cpu_seconds = limits.cpu_seconds > 0 ? std::min(limits.cpu_seconds, seconds) : seconds;
  return limits;
}

double seconds_for_all(const RunJob& job) {
  double sum = 0;
  for (std::size_t step = 0; step <= job.sample_count(); ++step) {
    const double seconds = limits_of_step(job, step).cpu_seconds;
    if (seconds <= 0) return 0;
    sum += seconds;
  }
  return sum;
}

bool is_cut_short(const RunJob& job, std::size_t step) {
  if (!job.original_took) return false;
  const double seconds = limits_of_step(job, step).cpu_seconds;
  return seconds > 0 && seconds < as_long * took(*job.original_took, step);
}

}  // namespace culprit
