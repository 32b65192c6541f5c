#include "check/repeat.h"

#include <algorithm>

#include "base/text.h"
#include "check/folders.h"
#include "check/judgement.h"
#include "check/reason.h"
#include "model/random_ops.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t repeated_samples = 8;
constexpr std::size_t named_ops = 4;

bool same_bits(const fs::path& a, const fs::path& b) {
  const auto left = read_pack(a);
  const auto right = read_pack(b);
  return left && right && std::ranges::equal(*left, *right, [](const NamedTensor& x, const NamedTensor& y) {
           return x.name == y.name && x.part == y.part && x.value.identical(y.value);
         });
}

std::string named(std::vector<std::string> ops) {
  const std::size_t count = ops.size();
  if (count > named_ops) ops.resize(named_ops);
  return join(ops, ", ") + (count > named_ops ? " and " + std::to_string(count - named_ops) + " more" : "") +
         "; give these a seed, or check the model without them";
}

std::string cause(const Basis& basis) {
  const auto ops = basis.model.proto != nullptr ? unseeded_random_ops(*basis.model.proto) : std::vector<std::string>();
  const int threads = basis.session.threads;
  if (ops.empty() && threads > 1) {
    return "; it ran on " + std::to_string(threads) +
           " threads, which may add up sums in another order each time: use --threads 1";
  }
  if (ops.empty())
    return "; no random operator without a seed was found in it, so it may depend on uninitialized memory or time";
  return "; it draws random numbers without a seed: " + named(ops);
}

/// Two runs may agree by chance: a number that is seldom above its threshold says nothing of the next run.
void look_for_chance(RepeatResult& result, const Model& model) {
  const auto ops = model.proto != nullptr ? random_ops_behind_outputs(*model.proto) : std::vector<std::string>();
  if (ops.empty()) return;
  result.repeats = false;
  result.record.verdict = Verdict::inconclusive;
  result.record.message =
      "two runs on the same samples agree by chance only: what comes out is made of random numbers that are drawn "
      "without a seed: " +
      named(ops);
}

RepeatResult judge(const RunOutcome& outcome, std::span<const fs::path> reference, const Basis& basis) {
  RepeatResult result;
  result.record.name = "repeat";
  if (outcome.failure.failed() || outcome.outputs.size() != reference.size()) {
    result.record.verdict = Verdict::run_failed;
    result.record.message =
        "the model ran once and failed the second time: " + failure_text(outcome.failure, basis.options.limits);
    return result;
  }
  const Comparison comparison = compare(reference, outcome.outputs, {}, Contract::equivalent, basis.options);
  result.record.measurements = comparison.measurements;
  result.record.verdict = verdict_of(comparison.measurements);
  result.repeats = std::ranges::equal(reference, outcome.outputs, same_bits);
  if (result.repeats) {
    look_for_chance(result, basis.model);
    return result;
  }
  result.record.verdict = std::max(result.record.verdict, Verdict::deviates);
  std::string difference = describe(comparison);
  if (difference.empty()) difference = "signed zeros or NaN bits differ";
  result.record.message = "two runs on the same samples differ: " + difference + cause(basis);
  return result;
}

}  // namespace

void run_repeat_control(Desk& desk, const Basis& basis, std::function<void(RepeatResult)> then) {
  const std::size_t count = std::min(basis.samples.size(), repeated_samples);
  RunJob job;
  job.model = basis.model.path;
  job.session = basis.session;
  job.samples.assign(basis.samples.begin(), basis.samples.begin() + static_cast<std::ptrdiff_t>(count));
  job.folder = basis.folder / "outputs" / "repeat";
  job.fresh_process = true;
  job.limits = basis.options.limits;
  desk.run(std::move(job), [&basis, count, then = std::move(then)](const RunOutcome& outcome) {
    RepeatResult result = judge(outcome, std::span(basis.reference).first(count), basis);
    remove_folder(basis.folder / "outputs" / "repeat");
    then(std::move(result));
  });
}

}  // namespace culprit
