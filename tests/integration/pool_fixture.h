#pragma once
// A pool of the tests' workers, jobs for it, and a look at which processes are left.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "worker/pool.h"

namespace culprit::testing {

/// Every process that was started with this test's mark in its environment, zombies left out. The test itself is not
/// among them.
std::vector<pid_t> marked_processes();
/// Waits, within reason, until `count` of them are there (0: none is left); false: it did not happen.
bool wait_for_processes(std::size_t at_least);
bool wait_for_no_processes();

constexpr double short_time = 0.3;  // seconds: for what is to hit a limit

class PoolTest : public ::testing::Test {
 protected:
  PoolTest();
  void TearDown() override;  ///< no test may leave a process

  [[nodiscard]] PoolOptions options(int jobs = 2) const;
  std::unique_ptr<Executor> pool(int jobs = 2) { return made(options(jobs)); }
  /// A pool whose worker misuses the protocol.
  std::unique_ptr<Executor> liars(const std::string& how);
  static std::unique_ptr<Executor> made(PoolOptions options);

  /// One recipe for each of these, which may be several passes "a,b"; "" is the round trip. Of the optimizer "fake".
  OptimizeJob optimize(const std::vector<std::string>& recipes);
  /// On the fake runner: `model` says what it does. Two samples by default, each with tensors x = [sample, 1] and y =
  /// "text".
  RunJob run(const std::string& model, std::size_t samples = 2);

  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::vector<Outcome> drain(Executor& executor);

/// Those outcomes that are of this type, in order.
template <class T>
std::vector<T> of(const std::vector<Outcome>& outcomes) {
  std::vector<T> found;
  for (const Outcome& outcome : outcomes)
    if (const T* one = std::get_if<T>(&outcome)) found.push_back(*one);
  return found;
}

/// The outcome of a job that must be the pool's only one.
RunOutcome only_run(Executor& executor, RunJob job);
/// Variants of a job that must import, by recipe; there must be exactly one for every recipe.
std::vector<VariantOutcome> variants_of(Executor& executor, OptimizeJob job);

/// Writes a model in ONNX's text syntax.
void write_model(const std::string& text, const fs::path& path);
extern const char* const small_model;  ///< x: float[2] -> Identity, Neg, Identity -> y; two Identity nodes can go

}  // namespace culprit::testing
