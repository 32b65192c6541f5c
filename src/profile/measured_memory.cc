#include "profile/measured_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "statistics/quantile.h"

namespace culprit {

MemoryResult measure_memory(MeasuringBlocks& blocks, const MeasuredModel& model, std::int64_t runs) {
  const auto block = blocks.open({model});
  MemoryRecord memory;
  memory.start = block->resident(0).now;
  if (const Loaded loaded = block->load(0); loaded.failure.failed()) return {std::nullopt, loaded.failure};
  memory.load_peak = block->resident(0).largest;
  const auto all = runs * static_cast<std::int64_t>(model.job.samples.size());
  if (const Turn turn = block->run(0, all); turn.failure.failed()) return {std::nullopt, turn.failure};
  const Resident at_end = block->resident(0);
  memory.run_peak = at_end.largest;
  if (at_end.arena > 0) memory.arena = at_end.arena;
  return {memory, {}};
}

std::optional<double> measure_optimizing(MeasuringBlocks& blocks, const MeasuredModel& model,
                                         const std::filesystem::path& as_run) {
  MeasuredModel plain = model;
  plain.job.model = as_run;
  plain.job.session.level = Level::off;
  plain.job.session.disabled_steps.clear();
  std::vector<double> differences(3);
  for (double& difference : differences) {
    const auto block = blocks.open({model, plain});
    const Loaded optimized = block->load(0), loaded = block->load(1);
    if (optimized.failure.failed() || loaded.failure.failed()) return std::nullopt;
    difference = optimized.seconds - loaded.seconds;
  }
  return std::max(0.0, median(std::move(differences)));
}

}  // namespace culprit
