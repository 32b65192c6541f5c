#include "check/decisions/added_samples.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "stream/chunk_reader.h"

namespace culprit {
namespace {

bool hold_the_same(const fs::path& one, const fs::path& other) {
  const auto a = MappedFile::open(one), b = MappedFile::open(other);
  return a && b && std::ranges::equal(a->bytes(), b->bytes());
}

/// A number of a data set gives the same bytes each time it is read (data/sample_source.h).
std::optional<std::size_t> place_in(const Reference& reference, const fs::path& pack) {
  const auto found =
      std::ranges::find_if(reference.samples, [&](const fs::path& judged) { return hold_the_same(judged, pack); });
  if (found == reference.samples.end()) return std::nullopt;
  return static_cast<std::size_t>(found - reference.samples.begin());
}

struct RanOriginal {
  std::vector<fs::path> outputs;
  Pace took;
};

Result<RanOriginal> run_original(Dispatcher& dispatcher, const Reference& reference,
                                 const std::vector<fs::path>& samples, const std::string& name) {
  RanOriginal ran;
  if (samples.empty()) return ran;
  RunJob job;
  job.model = reference.model.path;
  job.session = reference.session;
  job.limits = reference.options.limits;
  job.samples = samples;
  job.folder = reference.folder / "reference" / name;
  dispatcher.run(std::move(job), [&](const RunOutcome& outcome) { ran = {outcome.outputs, outcome.took}; });
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  return ran;
}

}  // namespace

Result<PlacedSamples> with_samples(Dispatcher& dispatcher, Reference reference, const SampleSource& source,
                                   const std::vector<std::int64_t>& numbers, const std::string& name) {
  const std::size_t before = reference.samples.size();
  const auto chunk = read_chunk(source, numbers, reference.options.limits, reference.folder / "samples" / name,
                                dispatcher.interrupted());
  if (!chunk) return tl::unexpected(chunk.error());
  PlacedSamples placed{std::move(reference), before, {}};
  std::vector<fs::path> further;
  std::vector<std::int64_t> numbers_of_further;
  for (std::size_t i = 0; i < chunk->packs.size(); ++i) {
    fs::path pack = chunk->packs[i].file();
    if (const auto place = place_in(placed.reference, pack)) {
      placed.places.emplace(chunk->numbers[i], *place);
      continue;
    }
    further.push_back(std::move(pack));
    numbers_of_further.push_back(chunk->numbers[i]);
  }
  const auto ran = run_original(dispatcher, placed.reference, further, name);
  if (!ran) return tl::unexpected(ran.error());
  Reference& joined = placed.reference;
  std::vector<double>& took = joined.took.samples;
  const bool is_timed = took.size() == before;
  for (std::size_t i = 0; i < std::min(ran->outputs.size(), further.size()); ++i) {
    placed.places.emplace(numbers_of_further[i], joined.samples.size());
    joined.samples.push_back(further[i]);
    joined.outputs.push_back(ran->outputs[i]);
    if (is_timed) took.push_back(i < ran->took.samples.size() ? ran->took.samples[i] : 0);
  }
  for (const auto& [number, place] : placed.places) joined.decisive.names.emplace(place, source.name(number));
  return placed;
}

void tell_added(const PlacedSamples& placed, DataFacts& facts) {
  for (const auto& [place, name] : placed.reference.decisive.names)
    if (place >= placed.before)
      facts.choices.push_back("one more of the data set, because it shows a difference: " + printable(name, 200));
  facts.samples += static_cast<std::int64_t>(placed.reference.samples.size() - placed.before);
}

Result<PlacedSamples> reference_on(Dispatcher& dispatcher, const Reference& like, const SampleSource& source,
                                   const std::vector<std::int64_t>& numbers, const std::string& name) {
  Reference reference = like;
  reference.samples.clear();
  reference.outputs.clear();
  reference.took.samples.clear();
  reference.decisive = {};
  reference.further = reference.directed = 0;
  return with_samples(dispatcher, std::move(reference), source, numbers, name);
}

}  // namespace culprit
