#include "conversion/faults/mendable_faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace culprit {

void add_fault(MendableFault fault, std::vector<MendableFault>& faults) {
  const ConversionFault& one = fault.fault;
  const auto is_told = [&](const MendableFault& known) {
    const ConversionFault& other = known.fault;
    return other.kind == one.kind && other.source == one.source && other.target.node == one.target.node &&
           (other.repair.edit == one.repair.edit || !one.is_reached);
  };
  if (std::ranges::any_of(faults, is_told)) return;
  faults.push_back(std::move(fault));
}

void number_faults(std::vector<MendableFault>& faults) {
  const auto place = [](const MendableFault& one) { return static_cast<unsigned>(one.fault.source.number); };
  std::ranges::stable_sort(faults, {}, place);
  for (std::size_t i = 0; i < faults.size(); ++i) faults[i].fault.id = fmt::format("F{}", i + 1);
}

std::vector<ConversionFault> without_edits(const std::vector<MendableFault>& faults) {
  std::vector<ConversionFault> made;
  made.reserve(faults.size());
  for (const MendableFault& one : faults) made.push_back(one.fault);
  return made;
}

}  // namespace culprit
