#include "stream/compare_chunk.h"

#include <utility>

#include "base/text.h"
#include "process/start_child.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr char is_state = 's', is_error = 'e';  // the first letter of what the fork says
constexpr double most_seconds = 600;            // for decoding a chunk, which has a few MiB

Result<void> add(Comparator& comparator, const SampleSource& source, const OutputPair& pair,
                 const std::vector<std::size_t>& order) {
  const auto reference = read_pack(pair.reference);
  if (!reference) return tl::unexpected(reference.error());
  const auto variant = read_pack_in_order(pair.variant, order);
  if (!variant) return tl::unexpected(variant.error());
  const Truth truth = source.truth(pair.number);
  return comparator.add({pair.number, &truth, *reference, *variant, source.name(pair.number)});
}

Result<std::string> compare(const DecisionTask& task, const SampleSource& source, const ChunkToCompare& chunk,
                            std::uint64_t seed) {
  auto comparator = task.comparator({seed});
  if (!comparator) return tl::unexpected(comparator.error());
  for (const OutputPair& pair : chunk.pairs) {
    auto added = add(**comparator, source, pair, chunk.outputs);
    if (added) continue;
    added.error().message = "sample " + printable(source.name(pair.number), 200) + ": " + added.error().message;
    return tl::unexpected(added.error());
  }
  return (*comparator)->state();
}

}  // namespace

Result<ChunkComparison> ChunkComparison::start(const DecisionTask& task, const SampleSource& source,
                                               ChunkToCompare chunk, std::uint64_t seed,
                                               const std::filesystem::path& scratch, double each_sample) {
  const double seconds = most_seconds + each_sample * static_cast<double>(chunk.pairs.size());
  const auto body = [&task, &source, chunk = std::move(chunk), seed](Channel& parent) {
    const auto state = compare(task, source, chunk, seed);
    parent.send_now(state ? is_state + *state : is_error + state.error().text());
  };
  auto child = start_fork(body, scratch, {seconds, 0});
  if (!child) return tl::unexpected(child.error());
  return ChunkComparison(std::move(*child));
}

Result<std::string> ChunkComparison::state(const Stop& stop) {
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
  return said->substr(1);
}

}  // namespace culprit
