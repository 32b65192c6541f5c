#include "baseline/repeat_control.h"

#include <algorithm>

#include "base/folder.h"
#include "base/text.h"
#include "model/random_ops.h"
#include "tensor/pack_file.h"
#include "trial/judgement.h"
#include "trial/plain_reason.h"

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

std::string cause(const Reference& reference) {
  const auto ops =
      reference.model.proto != nullptr ? unseeded_random_ops(*reference.model.proto) : std::vector<std::string>();
  const int threads = reference.session.threads;
  if (ops.empty() && threads > 1) {
    return "; it ran on " + std::to_string(threads) +
           " threads, which may add up sums in another order each time: use --threads 1";
  }
  if (ops.empty())
    return "; no random operator without a seed was found in it, so it may read memory that nobody wrote, or the time";
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

Result<RepeatResult> judge(const RunOutcome& outcome, std::span<const fs::path> expected, const Reference& reference) {
  if (outcome.failure.machine) {
    return fail(ErrorKind::io, "the reference could not be run a second time: " + reason_of(outcome.failure.message));
  }
  RepeatResult result;
  result.record.name = ControlName::repeat;
  if (outcome.failure.failed() || outcome.outputs.size() != expected.size()) {
    result.record.verdict = Verdict::run_failed;
    result.record.message =
        "the model ran once and failed the second time: " + failure_text(outcome.failure, reference.options.limits);
    return result;
  }
  const Comparison comparison = compare(expected, outcome.outputs, {}, Contract::equivalent, reference.options);
  result.record.measurements = comparison.measurements;
  result.record.verdict = verdict_of(comparison.measurements);
  result.repeats = std::ranges::equal(expected, outcome.outputs, same_bits);
  if (result.repeats) {
    look_for_chance(result, reference.model);
    return result;
  }
  result.record.verdict = std::max(result.record.verdict, Verdict::deviates);
  std::string difference = describe(comparison);
  if (difference.empty()) difference = "signed zeros or NaN bits differ";
  result.record.message = "two runs on the same samples differ: " + difference + cause(reference);
  return result;
}

}  // namespace

void run_repeat_control(Dispatcher& dispatcher, const Reference& reference, OnRepeat then) {
  const std::size_t count = std::min(reference.samples.size(), repeated_samples);
  RunJob job;
  job.model = reference.model.path;
  job.session = reference.session;
  job.samples.assign(reference.samples.begin(), reference.samples.begin() + static_cast<std::ptrdiff_t>(count));
  job.folder = reference.folder / "outputs" / "repeat";
  job.fresh_process = true;
  job.fills_memory = true;  // else it is zero in both
  job.limits = reference.options.limits;
  dispatcher.run(std::move(job), [&reference, count, then = std::move(then)](const RunOutcome& outcome) {
    auto result = judge(outcome, std::span(reference.outputs).first(count), reference);
    remove_folder(reference.folder / "outputs" / "repeat");
    then(std::move(result));
  });
}

}  // namespace culprit
