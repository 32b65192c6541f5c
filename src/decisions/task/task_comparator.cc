#include "task/task_comparator.h"

#include <fmt/format.h>

#include <utility>

namespace culprit {
namespace {

constexpr std::uint32_t state_version = 3;

}  // namespace

Result<std::unique_ptr<Spill>> one_spill(const ComparatorOptions& options) {
  return options.spill ? options.spill() : std::unique_ptr<Spill>();
}

Result<std::array<std::unique_ptr<Spill>, 3>> three_spills(const ComparatorOptions& options) {
  std::array<std::unique_ptr<Spill>, 3> spills;
  for (auto& spill : spills) {
    auto made = one_spill(options);
    if (!made) return tl::unexpected(made.error());
    spill = std::move(*made);
  }
  return spills;
}

void count_label_change(LabelChanges& changes, bool was_right, bool is_right, bool is_same) {
  if (is_same || (was_right && is_right)) return;
  ++(is_right ? changes.gained : was_right ? changes.lost : changes.both_wrong);
}

void write_label_changes(StateWriter& state, const LabelChanges& changes) {
  state.add(changes.gained).add(changes.lost).add(changes.both_wrong);
}

void merge_label_changes(StateReader& state, LabelChanges& changes) {
  for (std::int64_t* count : {&changes.gained, &changes.lost, &changes.both_wrong}) *count += state.count();
}

Result<void> TallyingComparator::add(const SampleOutputs& sample) {
  const auto change = look_at(sample);
  if (!change) return tl::unexpected(change.error());
  tally_.add(sample.number, *change);
  return {};
}

Result<DecisionChange> TaskComparator::look_at(const SampleOutputs& sample) {
  const auto reference = task().decide_of(sample.reference, sample.text);
  if (!reference) return tl::unexpected(reference.error());
  const auto variant = task().decide_of(sample.variant, sample.text);
  if (!variant) return tl::unexpected(variant.error());
  auto change = task().change(**reference, **variant);
  if (!change) return change;
  if (auto measured = measure(**reference, **variant, sample); !measured) return tl::unexpected(measured.error());
  if (sample.told != nullptr)
    *sample.told = ToldModel{task().tell(**variant, sample.truth), change->changed, change->margin};
  return change;
}

Result<std::string> TallyingComparator::state() const {
  StateWriter state;
  state.add(state_version).add(std::string_view(task_.name()));
  tally_.write(state);
  if (auto written = write(state); !written) return tl::unexpected(written.error());
  return state.take();
}

Result<void> TallyingComparator::merge(std::string_view later) {
  StateReader state(later);
  const auto version = state.next<std::uint32_t>();
  const std::string_view name = state.text();
  const auto broken = [this] {
    return fail(ErrorKind::bad_input, fmt::format("what was counted for the task {} cannot be read", task_.name()));
  };
  if (version != state_version || name != task_.name()) return broken();
  const DecisionTally tally = DecisionTally::read(state);
  if (!state.is_good()) return broken();
  if (auto merged = read_and_merge(state); !merged) return merged;
  if (!state.is_at_end()) return broken();
  tally_.merge(tally);
  return {};
}

Result<DecisionRecord> TallyingComparator::result() const {
  DecisionRecord record;
  record.task = task_.name();
  record.traits = task_.traits();
  tally_.fill(record);
  if (auto filled = fill(record); !filled) return tl::unexpected(filled.error());
  return record;
}

std::vector<std::int64_t> TallyingComparator::changed() const {
  return {tally_.changed().begin(), tally_.changed().end()};
}

}  // namespace culprit
