#include "stream/compare_chunk.h"

#include <optional>
#include <utility>

#include "base/state_bytes.h"
#include "base/text.h"
#include "process/start_child.h"
#include "stream/told_bytes.h"

namespace culprit {
namespace {

constexpr char is_state = 's', is_error = 'e';  // the first letter of what the fork says
constexpr double most_seconds = 600;            // for decoding a chunk, which has a few MiB

/// Either reads on in its own file.
struct PairReader {
  PackReader reference, variant;
};

/// Compares one sample: it is counted, or among those apart.
Result<void> add(Comparator& comparator, const DecisionTask& task, const SampleSource& source, const OutputPair& pair,
                 const ChunkToCompare& chunk, PairReader& reader, ComparedChunk& compared) {
  const auto reference = reader.reference.read(pair.reference);
  if (!reference) return tl::unexpected(reference.error());
  const auto variant = reader.variant.read_in_order(pair.variant, chunk.outputs);
  if (!variant) return tl::unexpected(variant.error());
  const Truth truth = source.truth(pair.number);
  std::optional<ToldModel> told;
  const std::optional<SampleText> text = source.text(pair.number);
  const SampleOutputs sample{pair.number,
                             &truth,
                             *reference,
                             *variant,
                             source.name(pair.number),
                             chunk.is_told ? &told : nullptr,
                             text ? &*text : nullptr};
  auto added = comparator.add(sample);
  if (!added && added.error().kind != ErrorKind::unsupported) return added;
  if (!added) {
    compared.apart.push_back({pair.number, std::move(added.error().message), !task.decide(*reference)});
    return {};
  }
  if (told) compared.told.emplace_back(pair.number, std::move(*told));
  return {};
}

Result<ComparedChunk> compare(const DecisionTask& task, const SampleSource& source, const ChunkToCompare& chunk,
                              const ComparatorOptions& options) {
  auto comparator = task.comparator(options);
  if (!comparator) return tl::unexpected(comparator.error());
  ComparedChunk compared;
  PairReader reader;
  for (const OutputPair& pair : chunk.pairs) {
    auto added = add(**comparator, task, source, pair, chunk, reader, compared);
    if (!added) {
      added.error().message = "sample " + printable(source.name(pair.number), 200) + ": " + added.error().message;
      return tl::unexpected(added.error());
    }
  }
  auto state = (*comparator)->state();
  if (!state) return tl::unexpected(state.error());
  compared.state = std::move(*state);
  return compared;
}

std::string to_bytes(const ComparedChunk& compared) {
  StateWriter bytes;
  bytes.add(std::string_view(compared.state)).add(static_cast<std::uint64_t>(compared.apart.size()));
  for (const ApartSample& sample : compared.apart)
    bytes.add(sample.number).add(sample.is_of_reference).add(std::string_view(sample.reason));
  bytes.add(static_cast<std::uint64_t>(compared.told.size()));
  for (const auto& [number, told] : compared.told) {
    bytes.add(number);
    write_told(bytes, told);
  }
  return bytes.take();
}

Result<ComparedChunk> from_bytes(std::string_view bytes) {
  StateReader reader(bytes);
  ComparedChunk compared;
  compared.state = reader.text();
  const auto apart = reader.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < apart && reader.is_good(); ++i) {
    ApartSample sample;
    sample.number = reader.count();
    sample.is_of_reference = reader.next<bool>();
    sample.reason = reader.text();
    compared.apart.push_back(std::move(sample));
  }
  const auto told = reader.next<std::uint64_t>();
  for (std::uint64_t i = 0; i < told && reader.is_good(); ++i) {
    const std::int64_t number = reader.count();
    compared.told.emplace_back(number, read_told(reader));
  }
  if (!reader.is_at_end()) return fail(ErrorKind::internal, "what was said of a chunk of outputs cannot be read");
  return compared;
}

}  // namespace

Result<ChunkComparison> ChunkComparison::start(const DecisionTask& task, const SampleSource& source,
                                               ChunkToCompare chunk, const ComparatorOptions& options,
                                               const std::filesystem::path& scratch, double each_sample) {
  const double seconds = most_seconds + each_sample * static_cast<double>(chunk.pairs.size());
  const auto body = [&task, &source, chunk = std::move(chunk), options](Channel& parent) {
    const auto compared = compare(task, source, chunk, options);
    parent.send_now(compared ? is_state + to_bytes(*compared) : is_error + compared.error().text());
  };
  auto child = start_fork(body, scratch, {seconds, 0});
  if (!child) return tl::unexpected(child.error());
  return ChunkComparison(std::move(*child));
}

Result<ComparedChunk> ChunkComparison::result(const Stop& stop) {
  while (!child_.over()) {
    if (is_stopped(stop)) return ended_early();
    wait_for({&child_}, {}, child_.milliseconds());
    child_.check_limits();
  }
  const auto said = child_.channel().next();
  const Failure end = child_.bury();
  if (!said || said->empty())
    return fail(ErrorKind::internal, "comparing outputs ended early: " + printable(end.message));
  if (said->front() == is_error) return fail(ErrorKind::bad_input, printable(said->substr(1)));
  return from_bytes(std::string_view(*said).substr(1));
}

}  // namespace culprit
