// However a pool ends, nothing of it is left.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "pool_fixture.h"
#include "process/interrupt.h"

namespace culprit::testing {
namespace {

/// Workers, forks and a fork's children that would live for ever.
void submit_sleepers(Executor& executor, const OptimizeJob& optimize, const RunJob& run) {
  executor.submit(optimize);
  executor.submit(run);
}

constexpr std::size_t sleepers = 1 + 2 + 1;  // an optimize worker with two forks, a run worker

TEST_F(PoolTest, TheDestructorKillsEverything) {
  {
    auto workers = pool(3);
    submit_sleepers(*workers, optimize({"full_sleep", "full_sleep"}), run("run_sleep"));
    ASSERT_TRUE(std::holds_alternative<ImportOutcome>(workers->next().value()));
    ASSERT_TRUE(wait_for_processes(sleepers));
  }
  EXPECT_TRUE(marked_processes().empty());
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // and no zombie
}

TEST_F(PoolTest, GrandchildrenAreKilledWithTheirFork) {
  auto workers = pool();
  EXPECT_TRUE(variants_of(*workers, optimize({"children"}))[0].failure.failed());
  EXPECT_TRUE(only_run(*workers, run("run_children")).failure.failed());
  EXPECT_TRUE(wait_for_no_processes());
}

/// In a process of its own, because a signal handler stays. Exit status 0: all went as it should.
int interrupted_pool(Executor& executor) {
  const auto is_interrupt = [](const std::optional<Outcome>& outcome) {
    return outcome && std::holds_alternative<InterruptedOutcome>(*outcome);
  };
  std::optional<Outcome> outcome;
  do outcome = executor.next();
  while (outcome && !is_interrupt(outcome));
  if (!is_interrupt(outcome)) return 10;
  if (::waitpid(-1, nullptr, WNOHANG) != -1) return 11;
  if (executor.next()) return 12;
  executor.submit(RunJob{});
  if (executor.next()) return 13;
  return interrupt_requested() ? 0 : 14;
}

class EndedFromOutside : public PoolTest {
 protected:
  /// Starts a process with a busy pool, sends it the signal, and gives its wait status.
  int end_with(int signal) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      watch_interrupts();
      int status = 9;
      {
        auto workers = pool(3);
        submit_sleepers(*workers, optimize({"full_sleep", "full_sleep"}), run("run_sleep"));
        status = interrupted_pool(*workers);
      }
      ::_exit(status);
    }
    EXPECT_TRUE(wait_for_processes(sleepers));
    ::kill(pid, signal);
    int status = -1;
    ::waitpid(pid, &status, 0);
    return status;
  }
};

TEST_F(EndedFromOutside, SigintGivesOneInterruptedOutcome) {
  const int status = end_with(SIGINT);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(marked_processes().empty());
}

TEST_F(EndedFromOutside, SigtermToo) {
  const int status = end_with(SIGTERM);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(EndedFromOutside, WorkersDoNotOutliveAKilledParent) {
  const int status = end_with(SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(wait_for_no_processes());
}

TEST_F(PoolTest, AKilledOptimizeWorkerBlamesNoRecipe) {
  auto workers = pool();
  OptimizeJob job = optimize({"full_sleep", "full_sleep"});
  job.limits.cpu_seconds = 1;  // each recipe is done again alone, and sleeps until it is ended
  const JobId id = workers->submit(std::move(job));
  ASSERT_TRUE(std::holds_alternative<ImportOutcome>(workers->next().value()));
  ASSERT_TRUE(wait_for_processes(2));
  for (const pid_t pid : marked_processes()) ::kill(pid, SIGKILL);
  const auto variants = of<VariantOutcome>(drain(*workers));
  EXPECT_EQ(variants.size(), 2u);
  for (const auto& variant : variants) {
    EXPECT_EQ(variant.job, id);
    EXPECT_TRUE(variant.failure.failed());
  }
}

}  // namespace
}  // namespace culprit::testing
