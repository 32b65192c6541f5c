#include "conversion/sides/fed_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "tensor/pack_file.h"

namespace culprit {

Result<void> give_samples(const FedSamples& fed, const std::vector<std::filesystem::path>& samples,
                          const std::filesystem::path& folder, RunJob& job) {
  const auto is_left_over = [&](const NamedTensor& tensor) { return !fed.is_needed(tensor.name); };
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (fed.feeds.empty() && !fed.needed) {
      job.samples.push_back(samples[i]);
      continue;
    }
    auto given = read_pack(samples[i]);
    if (!given) return tl::unexpected(given.error());
    if (fed.feeds.empty() && std::ranges::none_of(*given, is_left_over)) {
      job.samples.push_back(samples[i]);
      continue;
    }
    std::erase_if(*given,
                  [&](const NamedTensor& tensor) { return is_left_over(tensor) || fed.feeds.contains(tensor.name); });
    for (const auto& [name, feed] : fed.feeds)
      if (fed.is_needed(name)) given->push_back({name, feed->by_sample.at(i)});
    job.samples.push_back(folder / fmt::format("in-{}.pack", i));
    if (auto ok = write_pack(job.samples.back(), *given); !ok) return ok;
  }
  return {};
}

}  // namespace culprit
