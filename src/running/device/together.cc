#include "device/together.h"

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include "base/cpu_wait.h"
#include "base/stopwatch.h"

namespace culprit {

double seconds_together(std::int64_t threads, const std::function<void(std::int64_t thread)>& work) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(1, threads));
  std::vector<double> seconds(count);
  std::barrier start(static_cast<std::ptrdiff_t>(count));
  const auto body = [&](std::size_t thread) {
    const CpuWait wait;
    start.arrive_and_wait();
    const double waited = wait.seconds();
    const Stopwatch watch;
    work(static_cast<std::int64_t>(thread));
    const double all = watch.seconds();
    seconds[thread] = seconds_less_wait(all, wait.seconds() - waited);
  };
  std::vector<std::thread> others;
  others.reserve(count - 1);
  for (std::size_t thread = 1; thread < count; ++thread) others.emplace_back(body, thread);
  body(0);
  for (std::thread& other : others) other.join();
  return std::ranges::max(seconds);
}

double fastest_round(double seconds, const std::function<double()>& round) {
  constexpr int least_rounds = 2;
  double spent = 0, fastest = 0;
  for (int rounds = 0; rounds < least_rounds || spent < seconds; ++rounds) {
    const double one = std::max(round(), 1e-9);
    fastest = rounds == 0 ? one : std::min(fastest, one);
    spent += one;
  }
  return fastest;
}

}  // namespace culprit
