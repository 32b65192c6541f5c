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

/// A sample, and its steps to look at.
struct SteppedSample {
  std::size_t sample = 0;
  std::vector<NamedTensor> inputs;
  std::vector<std::int64_t> steps;
  std::optional<std::int64_t> parts_at;
};

Result<SteppedSample> looked_at(const BothStep& both, std::size_t sample, const fs::path& outputs) {
  auto inputs = read_pack(both.samples[sample]);
  const auto right = read_pack(both.outputs[sample]);
  const auto found = read_pack_in_order(outputs, both.places);
  if (!inputs || !right || !found)
    return tl::unexpected(!inputs ? inputs.error() : !right ? right.error() : found.error());
  auto steps = steps_to_try(*inputs, *right, *found, both.tolerance);
  if (!steps) return tl::unexpected(steps.error());
  auto parts_at = first_parted_step(*inputs, *right, *found, both.tolerance);
  if (!parts_at) return tl::unexpected(parts_at.error());
  return SteppedSample{sample, std::move(*inputs), std::move(*steps), *parts_at};
}

bool is_earlier(const SteppedSample& one, const SteppedSample& other) {
  return one.parts_at && (!other.parts_at || *one.parts_at < *other.parts_at);
}

/// The samples as the second model is fed: its states come from its own outputs, which may have other names.
Result<std::vector<fs::path>> samples_of_second(const BothStep& both, bool& has_own_states) {
  std::vector<fs::path> samples;
  for (const fs::path& sample : both.samples) {
    auto inputs = read_pack(sample);
    if (!inputs) return tl::unexpected(inputs.error());
    for (NamedTensor& input : *inputs) {
      const auto fed_by = std::ranges::find_if(
          both.binding.outputs, [&](const auto& output) { return input.part == state_part(output.first); });
      if (!is_state_input(input) || fed_by == both.binding.outputs.end()) continue;
      has_own_states |= fed_by->first != fed_by->second;
      input.part = state_part(fed_by->second);
    }
    samples.push_back(both.folder / fmt::format("of-b-{}.pack", samples.size()));
    if (auto ok = write_pack(samples.back(), *inputs); !ok) return tl::unexpected(ok.error());
  }
  return samples;
}

Warning told_of(const SteppedSample& parted) {
  return {"steps_part",
          fmt::format("the outputs of sample {} part at step {} (from 0 on); values are compared at {} steps, the "
                      "likeliest first, both models with the states of A",
                      parted.sample, *parted.parts_at, parted.steps.size())};
}

Warning told_of_same_steps(std::size_t samples) {
  return {"steps_stay", fmt::format("B gives the same outputs at all steps of {} samples; values are compared at the "
                                    "first step of the first one and at the last",
                                    samples)};
}

}  // namespace

bool run_in_steps(const std::vector<fs::path>& samples) {
  const auto sample = samples.empty() ? Result<std::vector<NamedTensor>>() : read_pack(samples.front());
  return sample && has_steps(*sample);
}

Result<std::optional<PartedSteps>> steps_that_part(Dispatcher& dispatcher, const BothStep& both) {
  RunJob job = both.second;
  bool has_own_states = false;
  auto own_samples = samples_of_second(both, has_own_states);
  if (!own_samples) return tl::unexpected(own_samples.error());
  job.samples = std::move(*own_samples);
  job.folder = both.folder / "second";
  if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
  const auto ran = run_and_wait(dispatcher, std::move(job));
  if (!ran) return tl::unexpected(ran.error());
  if (ran->failure.failed() || ran->outputs.size() != both.samples.size()) return std::nullopt;
  std::optional<SteppedSample> best;
  for (std::size_t sample = 0; sample < both.samples.size(); ++sample) {
    auto one = looked_at(both, sample, ran->outputs[sample]);
    if (!one) return tl::unexpected(one.error());
    if (!best || is_earlier(*one, *best)) best = std::move(*one);
  }
  RunJob first = both.first;
  first.folder = both.folder / "fed";
  auto fed = fed_at_steps(dispatcher, std::move(first), best->inputs, best->steps);
  if (!fed) return tl::unexpected(fed.error());
  return PartedSteps{std::move(*fed), best->parts_at ? told_of(*best) : told_of_same_steps(both.samples.size()),
                     best->parts_at.has_value(), has_own_states};
}

}  // namespace culprit
