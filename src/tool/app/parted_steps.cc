#include "app/parted_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "executor/fed_at_steps.h"
#include "executor/run_and_wait.h"
#include "repro/frozen_step.h"
#include "tensor/pack_file.h"
#include "tensor/steps.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// A sample, what both models make of all of its steps, and the first step at which that differs.
struct SteppedSample {
  std::size_t sample = 0;
  std::vector<NamedTensor> inputs, right, found;
  std::optional<std::int64_t> parts_at;
};

Result<SteppedSample> read_sample(const BothStep& both, std::size_t sample, const fs::path& outputs) {
  auto inputs = read_pack(both.samples[sample]);
  auto right = read_pack(both.outputs[sample]);
  auto found = read_pack_in_order(outputs, both.places);
  if (!inputs || !right || !found)
    return tl::unexpected(!inputs ? inputs.error() : !right ? right.error() : found.error());
  const auto parts_at = first_parted_step(*inputs, *right, *found, both.tolerance);
  if (!parts_at) return tl::unexpected(parts_at.error());
  return SteppedSample{sample, std::move(*inputs), std::move(*right), std::move(*found), *parts_at};
}

bool is_earlier(const SteppedSample& one, const SteppedSample& other) {
  return one.parts_at && (!other.parts_at || *one.parts_at < *other.parts_at);
}

Warning told_of(const SteppedSample& parted, std::size_t steps) {
  return {"steps_part",
          fmt::format("the outputs of sample {} part at step {} (from 0 on); values are compared at {} steps, the "
                      "likeliest first, both models with the states of A",
                      parted.sample, *parted.parts_at, steps)};
}

Warning told_of_same_steps(std::size_t samples) {
  return {"steps_stay",
          fmt::format("no output of B is beyond the tolerance at any step of {} samples, not counting states; "
                      "values are compared at the first step of the first one and at the last",
                      samples)};
}

}  // namespace

bool run_in_steps(const std::vector<fs::path>& samples) {
  const auto sample = samples.empty() ? Result<std::vector<NamedTensor>>() : read_pack(samples.front());
  return sample && has_steps(*sample);
}

Result<std::optional<PartedSteps>> steps_that_part(Dispatcher& dispatcher, const BothStep& both) {
  RunJob job = both.second;
  job.samples = both.samples;
  job.folder = both.folder / "second";
  if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
  const auto ran = run_and_wait(dispatcher, std::move(job));
  if (!ran) return tl::unexpected(ran.error());
  if (ran->failure.failed() || ran->outputs.size() != both.samples.size()) return std::nullopt;
  std::optional<SteppedSample> best;
  for (std::size_t sample = 0; sample < both.samples.size(); ++sample) {
    auto one = read_sample(both, sample, ran->outputs[sample]);
    if (!one) return tl::unexpected(one.error());
    if (!best || is_earlier(*one, *best)) best = std::move(*one);
  }
  const auto steps = steps_to_try(best->inputs, best->right, best->found, both.tolerance);
  if (!steps) return tl::unexpected(steps.error());
  RunJob first = both.first;
  first.folder = both.folder / "fed";
  auto fed = fed_at_steps(dispatcher, std::move(first), best->inputs, *steps);
  if (!fed) return tl::unexpected(fed.error());
  return PartedSteps{std::move(*fed),
                     best->parts_at ? told_of(*best, steps->size()) : told_of_same_steps(both.samples.size()),
                     best->parts_at.has_value()};
}

}  // namespace culprit
