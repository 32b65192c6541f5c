#pragma once
// Which deltas there are, and those of one reduction.

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reduce/delta.h"

namespace culprit {

/// A line of the table in deltas/delta_list.h.
struct DeltaEntry {
  using OfNothing = Delta (*)();
  using OfValues = Delta (*)(const std::vector<std::string>& values);
  enum class Size { cutting, single };
  enum class Names { as_they_are, renumbering };

  std::string_view name;         ///< "drop_nodes"
  std::string_view description;  ///< what it tries, for --help
  Size size;
  Names names;
  std::variant<OfNothing, OfValues> make;

  /// It does nothing where no values are known that the failure is near.
  [[nodiscard]] bool needs_values() const { return std::holds_alternative<OfValues>(make); }
};

std::span<const DeltaEntry> delta_entries();

/// In the order in which they help each other, each with its renumbering. `around`: values that the failure is known
/// to be near; may be empty. `only`: names of entries; all of them where it is empty.
std::vector<Delta> all_deltas(const std::vector<std::string>& around = {}, std::span<const std::string> only = {});

}  // namespace culprit
