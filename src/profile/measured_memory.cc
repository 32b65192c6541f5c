#include "profile/measured_memory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/external_data.h"
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
                                         const std::filesystem::path& as_run,
                                         const std::filesystem::path& data_folder) {
  if (!data_folder.empty() && !load_model_apart(as_run, data_folder)) return std::nullopt;  // its names are checked
  MeasuredModel plain = model;
  plain.job.model = as_run;
  plain.job.session.level = Level::off;
  plain.job.session.data_folder = data_folder;
  plain.job.session.disabled_steps.clear();
  std::vector<double> parts(3);
  for (double& part : parts) {
    const auto block = blocks.open({model, plain});
    const Loaded optimized = block->load(0), loaded = block->load(1);
    if (optimized.failure.failed() || loaded.failure.failed()) return std::nullopt;
    part = optimized.seconds > 0 ? std::max(0.0, 1 - loaded.seconds / optimized.seconds) : 0;
  }
  return median(std::move(parts));
}

}  // namespace culprit
