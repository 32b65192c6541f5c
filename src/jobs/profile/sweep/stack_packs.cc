#include "profile/sweep/stack_packs.h"

#include <fmt/format.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/text.h"
#include "data/stacked_samples.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using PacksOfBatches = StackedPacks::value_type;

Result<void> check_size(const GivenModel& given, const Pack& sample, std::int64_t batch) {
  const std::uint64_t bytes = bytes_of_stack(given.model.interface.inputs, sample, batch);
  if (bytes <= usable_memory() / 4) return {};
  return fail(ErrorKind::usage,
              fmt::format("--sweep batch={}: the inputs of '{}' would take {}, more than a quarter of the memory",
                          batch, printable(given.model.facts.path, 200), human_bytes(bytes)),
              "name smaller batches");
}

Result<PacksOfBatches> stack_for(const GivenModel& given, const std::vector<std::int64_t>& batches,
                                 const std::filesystem::path& folder) {
  std::vector<Pack> samples;
  samples.reserve(given.samples.size());
  for (const auto& file : given.samples) {
    auto pack = read_pack(file);
    if (!pack) return tl::unexpected(pack.error());
    samples.push_back(std::move(*pack));
  }
  PacksOfBatches made;
  for (const std::int64_t batch : batches) {
    if (auto ok = check_size(given, samples.front(), batch); !ok) return tl::unexpected(ok.error());
    const auto packs = stacked_samples(given.model.interface.inputs, samples, batch, given.model.facts.path);
    if (!packs) return tl::unexpected(packs.error());
    for (std::size_t i = 0; i < packs->size(); ++i) {
      auto file = folder / fmt::format("batch-{}-{}.pack", batch, i);
      if (auto ok = write_pack(file, (*packs)[i]); !ok) return tl::unexpected(ok.error());
      made[batch].push_back(std::move(file));
    }
  }
  return made;
}

}  // namespace

Result<StackedPacks> stack_packs(const std::vector<GivenModel>& models, const std::vector<std::int64_t>& batches,
                                 const std::filesystem::path& folder) {
  StackedPacks packs(models.size());
  if (batches.empty()) return packs;
  for (const GivenModel& given : models)  // all of them, before anything is written
    if (auto ok = can_be_stacked(given.model.interface.inputs, given.model.facts.path); !ok)
      return tl::unexpected(Error{ok.error().kind, "--sweep batch: " + ok.error().message, ok.error().hint});
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].samples.empty()) continue;
    const auto own = folder / fmt::format("stacked-{}", i);
    if (auto ok = make_folder(own); !ok) return tl::unexpected(ok.error());
    auto made = stack_for(models[i], batches, own);
    if (!made) return tl::unexpected(made.error());
    packs[i] = std::move(*made);
  }
  return packs;
}

}  // namespace culprit
