#include "baseline/refused_samples.h"

#include <fmt/format.h>

#include <numeric>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "executor/refuses_sample.h"
#include "trial/plain_reason.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

bool refuses_one(const RanSamples& ran) {
  return refuses_sample(ran.outcome) && ran.outcome.outputs.size() < ran.packs.size();
}

}  // namespace

Result<WithoutRefused> run_without_refused(const RanSamples& first, const RunPacks& run) {
  WithoutRefused without{first, {}};
  std::vector<std::size_t> numbers(first.packs.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  while (refuses_one(without.ran) && without.ran.packs.size() > 1 && without.refused.size() < most_refused) {
    const RunOutcome& outcome = without.ran.outcome;
    const auto at = static_cast<std::ptrdiff_t>(outcome.outputs.size());
    std::vector<fs::path> packs = without.ran.packs;
    without.refused.push_back(
        {numbers[outcome.outputs.size()], packs[outcome.outputs.size()], reason_of(outcome.failure.message)});
    numbers.erase(numbers.begin() + at);
    packs.erase(packs.begin() + at);
    std::error_code ignored;
    for (const fs::path& file : outcome.outputs) fs::remove(file, ignored);
    auto ran = run(packs);
    if (!ran) return tl::unexpected(ran.error());
    without.ran = std::move(*ran);
  }
  if (!without.ran.outcome.failure.failed()) return without;
  return WithoutRefused{first, {}};
}

Warning refused_samples_warning(const std::vector<RefusedSample>& refused, const Proposal& proposal, const Stop& stop) {
  const auto sample = proposal.sample(refused.front().number, stop);
  return {"samples_refused",
          fmt::format("the model fails on {} of {} samples, which are left out; the first: {}{}", refused.size(),
                      proposal.size(), sample ? printable(sample->name, 100) + ": " : "",
                      printable(refused.front().reason, 300))};
}

}  // namespace culprit
