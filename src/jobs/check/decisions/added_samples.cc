#include "check/decisions/added_samples.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "stream/chunk_reader.h"

namespace culprit {

Result<Reference> reference_on(Dispatcher& dispatcher, const Reference& like, const SampleSource& source,
                               const std::vector<std::int64_t>& numbers, const std::string& name) {
  Reference reference = like;
  reference.samples.clear();
  reference.outputs.clear();
  reference.took.samples.clear();
  reference.decisive = {};
  reference.further = reference.directed = 0;
  const auto chunk =
      read_chunk(source, numbers, like.options.limits, like.folder / "samples" / name, dispatcher.interrupted());
  if (!chunk) return tl::unexpected(chunk.error());
  if (chunk->packs.empty()) return reference;

  RunJob job;
  job.model = like.model.path;
  job.session = like.session;
  job.limits = like.options.limits;
  job.samples = files_of(*chunk);
  job.folder = like.folder / "reference" / name;
  dispatcher.run(std::move(job), [&](const RunOutcome& outcome) {
    reference.outputs = outcome.outputs;
    reference.took.samples = outcome.took.samples;
  });
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  for (std::size_t i = 0; i < std::min(reference.outputs.size(), chunk->packs.size()); ++i) {
    reference.samples.push_back(chunk->packs[i].file());
    reference.decisive.names.push_back(source.name(chunk->numbers[i]));
  }
  reference.took.samples.resize(reference.samples.size());
  return reference;
}

Reference joined(Reference reference, const Reference& added) {
  const std::size_t before = reference.samples.size();
  std::ranges::copy(added.samples, std::back_inserter(reference.samples));
  std::ranges::copy(added.outputs, std::back_inserter(reference.outputs));
  if (!reference.took.samples.empty())
    std::ranges::copy(added.took.samples, std::back_inserter(reference.took.samples));
  reference.decisive = added.decisive;
  reference.decisive.samples.clear();
  for (const std::size_t sample : added.decisive.samples) reference.decisive.samples.insert(before + sample);
  return reference;
}

}  // namespace culprit
