#include "reduce/all_deltas.h"

#include "base/text.h"
#include "reduce/deltas/delta_list.h"
#include "reduce/renumber.h"

namespace culprit {
namespace {

using Size = DeltaEntry::Size;

#define CULPRIT_DELTA_ENTRY(name, size, names, description) \
  DeltaEntry{#name, description, DeltaEntry::Size::size, DeltaEntry::Names::names, &(name)},
constexpr DeltaEntry entries[] = {CULPRIT_DELTAS(CULPRIT_DELTA_ENTRY, CULPRIT_DELTA_ENTRY)};
#undef CULPRIT_DELTA_ENTRY

Delta made(const DeltaEntry& entry, const std::vector<std::string>& around) {
  const auto* of_nothing = std::get_if<DeltaEntry::OfNothing>(&entry.make);
  Delta delta = of_nothing != nullptr ? (*of_nothing)() : std::get<DeltaEntry::OfValues>(entry.make)(around);
  delta.name = entry.name;
  return delta;
}

}  // namespace

std::span<const DeltaEntry> delta_entries() { return entries; }

std::vector<Delta> all_deltas(const std::vector<std::string>& around, std::span<const std::string> only) {
  std::vector<Delta> deltas;
  for (const Size size : {Size::cutting, Size::single}) {
    std::vector<Delta> numbered;
    for (const DeltaEntry& entry : entries) {
      const bool is_named = only.empty() || is_one_of(entry.name, only);
      if (entry.size != size || !is_named || (entry.needs_values() && around.empty())) continue;
      deltas.push_back(made(entry, around));
      if (entry.names == DeltaEntry::Names::renumbering) numbered.push_back(deltas.back());
    }
    for (const auto way : {Renumbering::together, Renumbering::in_a_row}) {
      for (const Delta& delta : numbered) deltas.push_back(and_renumber(delta, way));
    }
  }
  return deltas;
}

}  // namespace culprit
