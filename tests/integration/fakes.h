#pragma once
// Optimizers and runners for the tests' worker.

#include <filesystem>
#include <memory>
#include <string>

#include "optimizer/optimizer.h"
#include "runtime/runner.h"

namespace culprit::testing {

/// Passes with predicates: "idle" (matches nothing), "grow" (adds an Identity), the misdeeds (match, and commit them in
/// apply), and "scan_" + misdeed (commit them in the predicate, and grow in apply). Without: "full_" + the same. `name`
/// may be "import_" + misdeed: then the import commits it.
std::shared_ptr<Optimizer> make_fake_optimizer(const std::string& name);

/// What the pass "visits" does, within limits: so many visits, each with two names of 200 bytes.
constexpr std::uint64_t many_visits = 60'000;
inline RewriteVisit visit_number(std::uint64_t number) {
  const std::string name = std::string(200, 'n') + std::to_string(number);
  return {{"visits", name}, "Relu", {name + "/in"}};
}

/// What it does stands in the file name of the model: "echo" gives its inputs back, "speak" and "work" too, "pid" its
/// process id, "neighbours" how many others of this kind run, "descriptors" those that are open, "load_error",
/// "run_error", "run_oom" (an error that tells of memory), "load_" + misdeed, "run_"
/// + misdeed, "second_" + misdeed (in the second sample). "cold" loads only where a session of its provider was
/// made from memory before, with nothing to save and no profile.
std::unique_ptr<Runner> make_fake_runner();

/// Misuses the protocol: "garbage", "length", "empty", "variant_first", "index", "twice", "ran_first", "quit". Does not
/// return.
[[noreturn]] void lie(int fd, const std::string& how);

}  // namespace culprit::testing
