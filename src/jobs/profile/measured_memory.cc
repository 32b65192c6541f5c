#include "profile/measured_memory.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <system_error>
#include <utility>
#include <vector>

#include "model/external_data.h"
#include "statistics/quantile.h"

namespace culprit {

namespace {

struct SampleFile {
  std::filesystem::path file;
  std::uint64_t bytes = 0;  ///< about those of its tensors
};

std::vector<SampleFile> largest_samples(const std::vector<std::filesystem::path>& samples) {
  std::vector<SampleFile> files;
  for (const auto& sample : samples) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(sample, error);
    files.push_back({sample, error ? 0 : bytes});
  }
  std::ranges::stable_sort(files, std::ranges::greater{}, &SampleFile::bytes);
  files.resize(std::min(files.size(), most_samples_of_memory));
  return files;
}

/// Samples are mapped, so that one takes memory when it first runs, and not when it is loaded.
MemoryResult memory_with(MeasuringBlocks& blocks, const MeasuredModel& model, const SampleFile& sample,
                         std::int64_t runs) {
  MeasuredModel alone = model;
  alone.job.samples = {sample.file};
  const auto block = blocks.open({alone});
  MemoryRecord memory;
  memory.start = block->resident(0).now;
  if (const Loaded loaded = block->load(0); loaded.failure.failed()) return {std::nullopt, loaded.failure};
  const Resident after_load = block->resident(0);
  memory.load_peak = after_load.largest;
  if (const Turn turn = block->run(0, runs); turn.failure.failed()) return {std::nullopt, turn.failure};
  const Resident at_end = block->resident(0);
  memory.run_peak = at_end.largest - std::min(at_end.largest, sample.bytes);
  if (at_end.largest > 0) memory.run_peak = std::max(memory.run_peak, after_load.now);
  if (at_end.arena > 0) memory.arena = at_end.arena;
  return {memory, {}};
}

}  // namespace

MemoryResult measure_memory(MeasuringBlocks& blocks, const MeasuredModel& model, std::int64_t runs) {
  MemoryResult most;
  for (const SampleFile& sample : largest_samples(model.job.samples)) {
    MemoryResult one = memory_with(blocks, model, sample, runs);
    if (!one.memory) return one;
    if (!most.memory) most = one;
    most.memory->load_peak = std::max(most.memory->load_peak, one.memory->load_peak);
    most.memory->run_peak = std::max(most.memory->run_peak, one.memory->run_peak);
    most.memory->arena = std::max(most.memory->arena, one.memory->arena);
  }
  return most;
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
